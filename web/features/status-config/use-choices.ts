import { useCallback, useState } from "react";
import { type Choice, type Config, findChoices } from "./calls";

const union = <T extends Choice>(listed: readonly T[], found: readonly T[]): T[] => {
  const ids = new Set(listed.map(({ id }) => id));
  return [...listed, ...found.filter(({ id }) => !ids.has(id))].toSorted((one, other) => one.id - other.id);
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
