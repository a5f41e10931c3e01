/** When the disks of a server will be full, as lists and its page show it. */
import type { Static } from "@sinclair/typebox";
import { type SQL, sql } from "drizzle-orm";
import { agents, agentStates as states } from "../../db/schema";
import { isoTimeOrNull } from "../../lib/time";
import { component, nullable, oneOf, time } from "../../server/answers";
import { mountField } from "./machine";

export const DiskForecast = component("DiskForecast", {
  mount: mountField,
  outlook: oneOf(
    "`filling`; `not_growing`, also where it would take more than a year; `unknown` where the server is offline, or while too little is known: 12 hours for the next four days, three days beyond.",
    ["filling", "not_growing", "unknown"],
  ),
  full_at: nullable(
    time(
      "When it is full: within four days at the lower of the rates of the last day and of the last six hours, by which its alert begins and ends; later at the rate of the last seven days. Null unless it fills up.",
      "2026-01-24T08:00:00.000Z",
    ),
  ),
});
export type DiskForecast = Static<typeof DiskForecast>;

type Row = {
  agent: Pick<typeof agents.$inferSelect, "diskForecasts">;
  state: Pick<typeof states.$inferSelect, "status" | "extra">;
};

/** The hourly forecast of each disk of the latest report, in its order. */
export const forecastsOf = ({ agent: { diskForecasts }, state: { status, extra } }: Row): DiskForecast[] => {
  const known = new Map(status === "active" ? diskForecasts?.disks : []);
  return (extra?.disks ?? []).map(({ mount }) => {
    const fullAt = known.get(mount);
    const outlook = fullAt === undefined ? "unknown" : fullAt === null ? "not_growing" : "filling";
    return { mount, outlook, full_at: isoTimeOrNull(fullAt ?? null) };
  });
};

const ORDER = ["filling", "not_growing", "unknown"] as const;

/** The forecast of the disk that will be full first; null without one. */
export const firstForecast = (row: Row): DiskForecast | null =>
  forecastsOf(row).reduce<DiskForecast | null>((first, one) => {
    const place = ORDER.indexOf(one.outlook) - ORDER.indexOf(first?.outlook ?? "unknown");
    const isSooner = place < 0 || (place === 0 && (one.full_at ?? "") < (first?.full_at ?? ""));
    return first === null || isSooner ? one : first;
  }, null);

/** When the first disk of a server will be full, to sort by it. */
export const firstFullAt: SQL = sql`case when ${states.status} = 'active' then cast(${agents.diskForecasts} ->> 'first' as double precision) end`;
