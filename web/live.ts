import type { LiveCounts, LiveMonitor, LiveOutage, LiveSample, LiveServer } from "../src/shared/live";

/** What arrived together: results of monitors, states of servers, outages and counts, each newest last. */
type Changes = {
  monitors: LiveMonitor[];
  agents: LiveServer[];
  outages: LiveOutage[];
  counts: LiveCounts | undefined;
};

const listeners = new Set<(changes: Changes) => void>();

/** Calls a listener with the changes of the viewer's monitors and servers, from now on. */
export const onChanges = (listener: (changes: Changes) => void): void => {
  listeners.add(listener);
};

const sampleListeners = new Set<(sample: LiveSample) => void>();

/** Calls a listener with each sample of the servers that are watched live. Returns a function that ends it. */
export const onSamples = (listener: (sample: LiveSample) => void): (() => void) => {
  sampleListeners.add(listener);
  return () => sampleListeners.delete(listener);
};

export const passOnSamples = (samples: readonly LiveSample[]): void => {
  for (const sample of samples) for (const listener of sampleListeners) listener(sample);
};

export const passOn = (changes: Changes): void => {
  for (const listener of listeners) listener(changes);
};
