import { REPORT_LIMITS, type TrafficCounters } from "../../../shared/agents/report";
import { nameOf, type SampleFigure } from "../figure";

/** The hub takes no character outside of the basic plane as part of a key. */
const keyOf = (name: string): string => nameOf(name.replace(/[\ud800-\udfff]/g, "_"));

/** The counters of the interfaces, which the hub adds up to traffic. */
export const traffic: SampleFigure<TrafficCounters> = {
  open: () => (reading) => {
    const counters = Object.entries(reading.network).slice(0, REPORT_LIMITS.interfaces);
    if (!reading.boot || counters.length === 0) return null;
    return {
      boot: reading.boot,
      interfaces: Object.fromEntries(counters.map(([name, { rx, tx }]) => [keyOf(name), [rx, tx]])),
      ...(reading.wraps ? { wraps: true } : {}),
    };
  },
  fields: (after) => ({ traffic: after }),
};
