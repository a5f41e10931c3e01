import { useCallback, useState } from "react";
import { isLogo, type StatusTheme } from "../../../src/shared/status-page";
import { api, payload } from "../../api";
import { resource } from "../../lib/resource";

export type Config = Awaited<ReturnType<typeof readConfig>>["config"];
export type Choice = { id: number; name: string; hostname?: string; selected: boolean };
export type Body = {
  title: string;
  description: string;
  logoUrl: string;
  customCss: string;
  theme: StatusTheme;
  monitors: number[];
  agents: number[];
  groups: { name: string; tag?: string; monitors: number[]; agents: number[] }[];
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

/** The public page with an unsaved configuration. */
export const previewPage = async (body: Body) => {
  // Groups without a name are still being typed, and would be refused.
  const groups = body.groups.filter(({ name }) => name.trim() !== "");
  const logoUrl = isLogo(body.logoUrl.trim()) ? body.logoUrl : "";
  return (await payload(api.status.preview.post({ ...body, groups, logoUrl }))).data;
};
export type PreviewData = Awaited<ReturnType<typeof previewPage>>;

/** Loaded when the screen opens and, in effect, not polled, so that edits are not replaced. */
export const configAtom = resource(readConfig, { every: 86_400_000 });

/** Searches monitors and servers by name and hostname, because the configuration lists at most 1,000. */
const findChoices = async (search: string) => {
  const { config } = await payload(api.status.config.get({ query: { search } }));
  return { monitors: config.monitors, agents: config.agents };
};

export const bodyOf = ({
  title,
  description,
  logoUrl,
  customCss,
  theme,
  monitor_ids,
  agent_ids,
  groups,
  show_hostname,
  show_os,
  show_version,
}: Config): Body => ({
  title,
  description,
  logoUrl,
  customCss,
  theme,
  monitors: monitor_ids,
  agents: agent_ids,
  groups,
  show_hostname,
  show_os,
  show_version,
});

const union = <T extends Choice>(listed: readonly T[], searched: readonly T[]): T[] => {
  const ids = new Set(listed.map(({ id }) => id));
  return [...listed, ...searched.filter(({ id }) => !ids.has(id))].toSorted((one, other) => one.id - other.id);
};

/** The monitors and servers that can be chosen: those in the configuration and those found by `find`, sorted by id. */
export const useChoices = (config: Config) => {
  const [found, setFound] = useState<Pick<Config, "monitors" | "agents">>({ monitors: [], agents: [] });
  const find = useCallback((search: string) => {
    // If the search fails, the listed ones can still be chosen.
    findChoices(search)
      .then((more) =>
        setFound(({ monitors, agents }) => ({
          monitors: union(monitors, more.monitors),
          agents: union(agents, more.agents),
        })),
      )
      .catch(() => {});
  }, []);
  return { monitors: union(config.monitors, found.monitors), agents: union(config.agents, found.agents), find };
};
