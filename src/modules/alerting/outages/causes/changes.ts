/** Changes in the hour before an outage. */
import type { Static } from "@sinclair/typebox";
import type { Deps } from "../../../../core/deps";
import { isoTime } from "../../../../lib/time";
import { nullable, object, oneOf, text, time } from "../../../../server/answers";
import { HOUR } from "../../../../shared/limits";
import { Change, readChangesOf } from "../../../accounts/audit/read";
import { SERVER_CHANGES, viewOf } from "../../targets";
import type { StoredOutage } from "../service";

/** Changes by people in one answer. */
const MOST = 20;

export const EditedBefore = object({
  kind: oneOf(
    "Someone changed the monitor or server, or what alerts the whole team, at most an hour before the outage began.",
    ["edited"],
  ),
  at: time("When.", "2026-01-15T12:05:00.000Z"),
  change: Change,
});
export const ChangedBefore = object({
  kind: oneOf("Something about the server last changed by itself, at most an hour before the outage began.", [
    "changed",
  ]),
  at: time("When.", "2026-01-15T12:05:00.000Z"),
  what: oneOf("The machine was started, or its agent was replaced by another version.", SERVER_CHANGES),
  version: nullable(text("The new version of the agent; null for others.", "1.4.2"), null),
});
type Entry = Static<typeof EditedBefore> | Static<typeof ChangedBefore>;

/** The changes by people, and of a server itself, that may have caused an outage. */
export const readChangesBefore = async (
  deps: Deps,
  { targetType, targetId, teamId, startedAt }: StoredOutage,
): Promise<Entry[]> => {
  const target = { type: targetType, id: targetId, teamId };
  const span = { from: startedAt - HOUR + 1, to: startedAt };
  const logged = await readChangesOf(deps, target, span, MOST);
  const edited = logged.map((change): Entry => ({ kind: "edited", at: change.at, change }));
  const ofServer = targetType === "agent" ? await viewOf("agent").readChanges(deps, targetId) : [];
  const changed = ofServer
    .filter(({ at }) => at >= span.from && at <= span.to)
    .map(({ what, at, version }): Entry => ({ kind: "changed", at: isoTime(at), what, version }));
  return [...edited, ...changed];
};
