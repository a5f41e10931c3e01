/**
 * What is known of one outage, in order of time: how it began, its failed checks, what explains it, the messages about
 * it, and how it ended.
 */
import { type Static, Type } from "@sinclair/typebox";
import { and, asc, eq } from "drizzle-orm";
import { longGaps, readGaps } from "../../../cluster/gaps";
import type { Deps } from "../../../core/deps";
import { type Viewer, visibleTo } from "../../../db/owner";
import { events, outages } from "../../../db/schema";
import { isoTime, isoTimeOrNull } from "../../../lib/time";
import {
  checkErrorCode,
  errorDetail,
  HubGap,
  id,
  integer,
  list,
  nullable,
  object,
  oneOf,
  presentGaps,
  text,
  time,
} from "../../../server/answers";
import { SECOND } from "../../../shared/limits";
import { type EventKind, eventKindsOf, OUTAGE_KINDS } from "../../../shared/notifications";
import { figureFields } from "../facts";
import { OutageMessage, readMessages } from "../history/messages";
import { readUnsent, Unsent } from "../history/unsent-entries";
import { MaintenanceSpan, presentMaintenanceTimes, readMaintenanceTimes } from "../maintenance/running";
import { detectedAt } from "../report";
import { targetName, viewOf } from "../targets";
import { Acknowledgement, presentAcknowledgement } from "./acknowledge/service";
import { ChangedBefore, EditedBefore, readChangesBefore } from "./causes/changes";
import { OutageCause, presentCause, type StoredOutage } from "./service";

/** Runs of failed checks and gaps of the hub, and explained outages by name, in one answer. */
const [RUNS, NAMED] = [50, 10];

const at = (description: string) => time(description, "2026-01-15T12:05:00.000Z");
const error = {
  error_code: checkErrorCode("Why the check failed; null for servers."),
  error_detail: nullable(errorDetail(30, "seconds"), null),
};
const related = object({
  id: id("The outage's id.", 12),
  target_type: oneOf("The kind of target.", ["monitor", "agent"]),
  target_id: id("The target's id.", 3),
  target_name: text("Its name.", "Payments API"),
  kind: oneOf("As in the list of outages.", OUTAGE_KINDS),
});

const Began = object({
  kind: oneOf("It began.", ["began"]),
  at: at("When it began: the time of the first failed check, or of the first report or ping that was missing."),
  after: nullable(
    time(
      "When its target was last known to be well; null where its start is exact or nothing is known of the time before.",
    ),
  ),
  ...error,
  ...figureFields,
  last_report: nullable(time("When the server last reported; null for other kinds than `offline`."), null),
});
const Checks = object({
  kind: oneOf("Checks in a row that failed in the same way.", ["checks"]),
  at: at("When the first of them started."),
  until: at("When the last of them started."),
  count: integer("How many checks, or missing and failed pings of a heartbeat, they are.", 15),
  status_code: nullable(integer("The status code of the last one; null without a response.", 503), null),
  ...error,
});
const Unknown = object({
  kind: oneOf("Nothing could be known for two minutes or more.", ["unknown"]),
  at: at("When that began; of a gap that began before the outage, when the outage began."),
  gap: HubGap,
});
const Maintained = object({
  kind: oneOf("Its target was in maintenance.", ["maintenance"]),
  at: at("When that began; of maintenance that began before the outage, when the outage began."),
  maintenance: MaintenanceSpan,
});
const Cause = object({
  kind: oneOf("What probably explains it.", ["cause"]),
  at: at("When the outage began."),
  cause: OutageCause,
});
const Explained = object({
  kind: oneOf("The outage of something that it depends on explains it.", ["explained"]),
  at: at("When the outage began."),
  by: related,
});
const Explains = object({
  kind: oneOf("It explains outages of what depends on its target.", ["explains"]),
  at: at("When the first of them began."),
  count: integer("How many they are.", 14),
  first: list(related, "The first ones, at most ten."),
});
const Acknowledged = object({
  kind: oneOf("It was acknowledged.", ["acknowledged"]),
  at: at("When."),
  acknowledgement: Acknowledgement,
});
const Messages = object({
  kind: oneOf("A message was sent, withheld or is due.", ["message"]),
  at: at("When it was first sent or withheld, or is due."),
  message: OutageMessage,
});
const Ended = object({
  kind: oneOf("It ended.", ["ended"]),
  at: at("When it ended."),
  how: oneOf("Whether its target recovered, or the monitor was paused or changed.", ["recovered", "paused", "changed"]),
  lasted: integer("How many seconds it lasted.", 900),
});

export const TimelineEntry = Type.Union([
  EditedBefore,
  ChangedBefore,
  Began,
  Checks,
  Unknown,
  Maintained,
  Cause,
  Explained,
  Explains,
  Acknowledged,
  Messages,
  Unsent,
  Ended,
]);
type Entry = Static<typeof TimelineEntry>;

const readEdge = async (
  { db }: Deps,
  { targetType, targetId, subject }: StoredOutage,
  kind: EventKind,
  time: number,
) => {
  const ofTarget = and(eq(events.targetType, targetType), eq(events.targetId, targetId), eq(events.subject, subject));
  const [row] = await db
    .select()
    .from(events)
    .where(and(ofTarget, eq(events.kind, kind), eq(events.at, time), eq(events.drill, false)));
  return row;
};

const begin = async (deps: Deps, outage: StoredOutage): Promise<Entry> => {
  const event = await readEdge(deps, outage, eventKindsOf(outage.kind).opening, detectedAt(outage));
  return {
    kind: "began",
    at: isoTime(outage.startedAt),
    after: isoTimeOrNull(outage.startedAfter),
    error_code: outage.errorCode,
    error_detail: outage.errorDetail,
    figure: event?.figure ?? null,
    threshold: event?.threshold ?? null,
    mount: event?.mount ?? null,
    last_report: outage.kind === "offline" ? isoTimeOrNull(event?.since ?? null) : null,
  };
};

/** An outage of a monitor that ended without an event ended because the monitor was paused or changed. */
const end = async (deps: Deps, outage: StoredOutage): Promise<Entry[]> => {
  const { endedAt, targetType, targetId } = outage;
  if (endedAt === null) return [];
  const event = await readEdge(deps, outage, eventKindsOf(outage.kind).closing, endedAt);
  const isSilent = targetType === "monitor" && event === undefined;
  const how = !isSilent
    ? "recovered"
    : (await viewOf("monitor").wasPausedAt(deps, targetId, endedAt))
      ? "paused"
      : "changed";
  const lasted = Math.round((endedAt - outage.startedAt) / SECOND);
  return [{ kind: "ended", at: isoTime(endedAt), how, lasted }];
};

const failedChecks = async (deps: Deps, { kind, targetId, startedAt, endedAt }: StoredOutage): Promise<Entry[]> => {
  if (kind !== "down") return [];
  const span = { after: startedAt, ...(endedAt !== null && { before: Math.max(endedAt, startedAt + 1) }) };
  const runs = await viewOf("monitor").readFailedRuns(deps, targetId, { limit: RUNS, ...span });
  return runs.map((run) => ({
    kind: "checks",
    at: run.started_at,
    until: run.last_at,
    count: run.checks,
    status_code: run.status_code,
    error_code: run.error_code,
    error_detail: run.error_detail,
  }));
};

/** The gaps of the hub during an outage. */
const unknownTime = async (deps: Deps, { startedAt, endedAt }: StoredOutage): Promise<Entry[]> => {
  const now = deps.clock.now();
  const gaps = longGaps(await readGaps(deps, { from: startedAt, to: endedAt ?? now }, RUNS), now);
  const ats = gaps.map(({ from }) => isoTime(Math.max(from, startedAt)));
  return presentGaps(gaps).map((gap, place) => ({ kind: "unknown", at: ats[place] ?? gap.from, gap }));
};

/** The maintenance of the target during an outage. */
const maintenanceTime = async (deps: Deps, outage: StoredOutage): Promise<Entry[]> => {
  const { targetType, targetId, startedAt, endedAt } = outage;
  const span = { from: startedAt, to: Math.max(endedAt ?? deps.clock.now(), startedAt + 1) };
  const times = (await readMaintenanceTimes(deps, { type: targetType, ids: [targetId] }, span)).get(targetId) ?? [];
  const ats = times.map(({ from }) => isoTime(Math.max(from, startedAt)));
  return presentMaintenanceTimes(times.slice(0, RUNS)).map((maintenance, place) => ({
    ...{ kind: "maintenance", at: ats[place] ?? maintenance.from, maintenance },
  }));
};

/** Outages related to one, in the order of their beginnings. */
const readRelated = async ({ db }: Deps, viewer: Viewer, condition: ReturnType<typeof eq>) => {
  const rows = await db
    .select({ outage: outages, name: targetName(outages.targetType, outages.targetId) })
    .from(outages)
    .where(and(condition, visibleTo(outages, viewer)))
    .orderBy(asc(outages.startedAt), asc(outages.id))
    .limit(NAMED);
  return rows.map(({ outage: { id, targetType, targetId, kind, startedAt }, name }) => ({
    startedAt,
    shown: { id, target_type: targetType, target_id: targetId, target_name: name, kind },
  }));
};

const explanations = async (deps: Deps, viewer: Viewer, outage: StoredOutage): Promise<Entry[]> => {
  const start = isoTime(outage.startedAt);
  const [parent] =
    outage.explainedBy === null ? [] : await readRelated(deps, viewer, eq(outages.id, outage.explainedBy));
  const ofThis = eq(outages.explainedBy, outage.id);
  const children = await readRelated(deps, viewer, ofThis);
  const [first] = children;
  const count = first ? await deps.db.$count(outages, and(ofThis, visibleTo(outages, viewer))) : 0;
  return [
    ...(outage.cause ? [{ kind: "cause" as const, at: start, cause: presentCause(outage.cause) }] : []),
    ...(parent ? [{ kind: "explained" as const, at: start, by: parent.shown }] : []),
    ...(first
      ? [
          {
            kind: "explains" as const,
            at: isoTime(Math.max(first.startedAt, outage.startedAt)),
            count,
            first: children.map(({ shown }) => shown),
          },
        ]
      : []),
  ];
};

/** The last acknowledgement, also when it is over. */
const acknowledgement = (outage: StoredOutage): Entry[] => {
  const acknowledged = presentAcknowledgement({ ...outage, endedAt: null }, outage.acknowledgedAt ?? 0);
  return acknowledged ? [{ kind: "acknowledged", at: acknowledged.at, acknowledgement: acknowledged }] : [];
};

/** Messages are shown to members of the team only, as in the history of notifications. */
const messagesOf = async (deps: Deps, viewer: Viewer, outage: StoredOutage): Promise<Entry[]> => {
  if (!viewer.teams.has(outage.teamId)) return [];
  const messages = (await readMessages(deps, [outage.id])).get(outage.id) ?? [];
  return messages.map((message) => ({ kind: "message", at: message.at, message }));
};

/** The entries of an outage in order of time; of one time, in the order of this list. */
const ORDER: Entry["kind"][] = [
  "edited",
  "changed",
  "began",
  "checks",
  "unknown",
  "maintenance",
  "cause",
  "explained",
  "explains",
  "acknowledged",
  "ended",
  "message",
  "unsent",
];

/** Everything that happened in an outage that a viewer sees, in order of time. */
export const readTimeline = async (deps: Deps, viewer: Viewer, outage: StoredOutage): Promise<Entry[]> => {
  const entries = await Promise.all([
    readChangesBefore(deps, outage),
    begin(deps, outage),
    failedChecks(deps, outage),
    unknownTime(deps, outage),
    maintenanceTime(deps, outage),
    explanations(deps, viewer, outage),
    acknowledgement(outage),
    messagesOf(deps, viewer, outage),
    readUnsent(deps, viewer, outage),
    end(deps, outage),
  ]);
  const place = ({ at, kind }: Entry) => ({ at, kind: ORDER.indexOf(kind) });
  return entries.flat().toSorted((one, other) => {
    const [a, b] = [place(one), place(other)];
    return a.at < b.at ? -1 : a.at > b.at ? 1 : a.kind - b.kind;
  });
};
