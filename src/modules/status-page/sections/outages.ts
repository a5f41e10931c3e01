import type { Static } from "@sinclair/typebox";
import { isoTime, isoTimeOrNull } from "../../../lib/time";
import { component, id, integer, nullable, oneOf, text, time } from "../../../server/answers";
import { DAY, SECOND } from "../../../shared/limits";
import { PAST_DAYS } from "../../../shared/status-page";
import { type FoldedOutage, readFolded } from "../../alerting/outages/folded";
import type { StatusPage } from "../pages/find";
import type { Section, Store } from "./section";

export const PublicOutageSchema = component("PublicOutage", {
  id: id("The id of the first outage that it stands for.", 12),
  target_type: oneOf("The kind of target.", ["monitor", "agent"]),
  target_id: id("The target's id.", 3),
  name: text("The target's name.", "Payments API"),
  started_at: time("When the first outage began.", "2026-01-15T12:05:00.000Z"),
  ended_at: nullable(time("When the last outage ended; null while it is open.")),
  changed_at: time("When the last outage began or ended."),
  count: integer("How many outages it stands for.", 1),
  seconds: integer("How long those that ended lasted together, in seconds.", 900),
});
export type PublicOutage = Static<typeof PublicOutageSchema>;

const read = (store: Store, { teamId, monitors, agents }: StatusPage): Promise<FoldedOutage[]> => {
  const since = (Math.floor(store.clock.now() / DAY) - PAST_DAYS + 1) * DAY;
  return readFolded(store, teamId, { monitors, agents }, since);
};

/** Past outages: outages of one target in close succession are one entry. */
export const outagesSection: Section<"outages", FoldedOutage, PublicOutage> = {
  key: "outages",
  read,
  present: (row) => ({
    id: row.id,
    target_type: row.targetType,
    target_id: row.targetId,
    name: row.name,
    started_at: isoTime(row.startedAt),
    ended_at: isoTimeOrNull(row.endedAt),
    changed_at: isoTime(row.changedAt),
    count: row.count,
    seconds: Math.round(Math.max(0, row.milliseconds) / SECOND),
  }),
  changedAt: ({ changedAt }) => changedAt,
};
