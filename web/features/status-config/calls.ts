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

/** Loads the configuration. Answers without the `config` wrapper are accepted as well. */
const readConfig = async () => {
  const answer = await payload(api.status.config.get({ query: {} }));
  return "config" in answer ? answer : { success: true as const, config: answer as (typeof answer)["config"] };
};

export const saveConfig = (body: Body) => payload(api.status.config.post(body));

/** Loaded when the screen opens and, in effect, not polled, so that edits are not replaced. */
export const configAtom = resource(readConfig, { every: 86_400_000 });

/** Searches monitors and servers by name and hostname, because the configuration lists at most 1,000. */
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
