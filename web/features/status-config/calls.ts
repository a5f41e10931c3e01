import { api, payload } from "../../api";
import { resource } from "../../lib/resource";

export type Config = Awaited<ReturnType<typeof readConfig>>["config"];
export type Choice = { id: number; name: string; hostname?: string; selected: boolean };
export type Body = {
  title: string;
  description: string;
  logoUrl: string;
  customCss: string;
  monitors: number[];
  agents: number[];
  show_hostname: boolean;
  show_os: boolean;
  show_version: boolean;
};

/** The configuration, which an answer may also give without its wrapper. */
const readConfig = async () => {
  const answer = await payload(api.status.config.get({ query: {} }));
  return "config" in answer ? answer : { success: true as const, config: answer as (typeof answer)["config"] };
};

export const saveConfig = (body: Body) => payload(api.status.config.post(body));

/** What is being edited is not replaced by itself: it is read when the screen opens. */
export const configAtom = resource(readConfig, { every: 86_400_000 });

/** Monitors and servers with this in their name or hostname: of more than 1,000 the configuration lists only some. */
export const findChoices = async (search: string) => {
  const { config } = await payload(api.status.config.get({ query: { search } }));
  return { monitors: config.monitors, agents: config.agents };
};

const chosen = (choices: readonly Choice[]) => choices.filter(({ selected }) => selected).map(({ id }) => id);

export const bodyOf = ({
  title,
  description,
  logoUrl,
  customCss,
  monitors,
  agents,
  show_hostname,
  show_os,
  show_version,
}: Config): Body => ({
  title,
  description,
  logoUrl,
  customCss,
  monitors: chosen(monitors),
  agents: chosen(agents),
  show_hostname,
  show_os,
  show_version,
});
