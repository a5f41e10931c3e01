import type { LiveAgent, LiveCounts, LiveMonitor, LiveOutage } from "../src/shared/live";

/** What arrived together: results of monitors, states of servers, outages and counts, each newest last. */
export type Changes = {
  monitors: LiveMonitor[];
  agents: LiveAgent[];
  outages: LiveOutage[];
  counts: LiveCounts | undefined;
};

const listeners = new Set<(changes: Changes) => void>();

/** Calls a listener with the changes of the viewer's monitors and servers, from now on. */
export const onChanges = (listener: (changes: Changes) => void): void => {
  listeners.add(listener);
};

export const passOn = (changes: Changes): void => {
  for (const listener of listeners) listener(changes);
};
