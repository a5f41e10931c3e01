import { REPORT_LIMITS } from "../../../shared/agents/report";
import type { Counters } from "../../platform/platform";
import { rateOf } from "../../platform/rates";
import { nameOf, type SampleFigure } from "../figure";

/** The rates of each counted interface. An interface that is new, or whose counters decreased, is absent. */
export const interfaces: SampleFigure<Record<string, Counters>> = {
  open: () => (reading) => reading.network,
  fields: (after, before, seconds) => {
    const rates = Object.entries(after).flatMap(([name, { rx, tx }]) => {
      const earlier = before?.[name];
      if (!earlier || rx < earlier.rx || tx < earlier.tx) return [];
      const rate = (bytes: number) => rateOf(bytes / 1024, seconds);
      return [{ name: nameOf(name), rx: rate(rx - earlier.rx), tx: rate(tx - earlier.tx) }];
    });
    return rates.length > 0 ? { interfaces: rates.slice(0, REPORT_LIMITS.interfaces) } : {};
  },
};
