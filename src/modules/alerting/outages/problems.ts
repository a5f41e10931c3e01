import type { Static } from "@sinclair/typebox";
import { and, desc, eq, isNull, not, or, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { readBelongings, type Viewer, visibleTo } from "../../../db/owner";
import { events, mutes, outages } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { isoTime, isoTimeOrNull } from "../../../lib/time";
import {
  belongingFields,
  boolean,
  checkErrorCode,
  errorDetail,
  id,
  integer,
  nullable,
  number,
  object,
  oneOf,
  text,
  time,
} from "../../../server/answers";
import { storedError } from "../../../shared/check-error";
import { LASTING_KINDS, OUTAGE_KINDS, type OutageKind } from "../../../shared/notifications";
import type { WantedTag } from "../../tags/model";
import { figureFields, partFields, presentPart } from "../facts";
import { maintenanceField, mayBeInMaintenance, presentMaintenance, readMaintenance } from "../maintenance/running";
import { isActiveMute, muteColumns, mutedField, presentMute } from "../mutes/service";
import { targetName, viewOf } from "../targets";
import { acknowledgedField, presentAcknowledgement } from "./acknowledge/service";
import { explainingField, readExplaining } from "./explaining";
import { isTagged } from "./list/filter";
import { isLatestOpening, OutageCause, presentCause, startedAfterField } from "./service";

/** The problems in one answer. Their number is in it, too. */
export const MAX_PROBLEMS = 50;

/** The fields of a problem: an open outage with what a reader needs to act on it. */
export const problemFields = {
  id: id("The id of its outage.", 12),
  target_type: oneOf("The kind of target.", ["monitor", "agent"]),
  target_id: id("The target's id.", 3),
  target_name: text("Its name.", "Payments API"),
  ...belongingFields,
  kind: oneOf("As in the list of outages.", OUTAGE_KINDS),
  since: time("When it began.", "2026-01-15T12:05:00.000Z"),
  started_after: startedAfterField,
  error_code: checkErrorCode("Why the monitor's last check failed, or what else is wrong with it; null for servers."),
  error_detail: nullable(errorDetail(30, "seconds"), null),
  ...figureFields,
  ...partFields,
  last_report: nullable(
    object({
      at: nullable(time("When the server last reported.")),
      cpu: nullable(number("CPU usage in percent.", 23)),
      memory: nullable(number("Memory usage in percent.", 58)),
    }),
    null,
  ),
  cause: nullable(OutageCause),
  muted: mutedField,
  maintenance: maintenanceField,
  explaining: explainingField,
  acknowledged: acknowledgedField,
  flapping: boolean("Whether its target changes so often that single changes are not sent.", false),
};

/** The numbers of open outages in maintenance. */
export const heldFields = {
  monitors: integer("Monitors that are down in maintenance. The number of monitors that are down has them, too.", 0),
  agents: integer("Servers that are offline in maintenance.", 0),
  total: integer("Open outages in maintenance.", 0),
};

type ProblemRow = Static<ReturnType<typeof object<typeof problemFields>>>;

/** A monitor is down or a server is offline. Other kinds are problems of a working target. */
const isBroken = sql`${outages.kind} in ('down', 'offline')`;

/** A certificate that expires soon is no problem while its monitor is paused. */
const isQuiet = (): SQL => sql`(${outages.kind} = 'certificate' and ${viewOf("monitor").isPaused(outages.targetId)})`;

const lasting = sql`${outages.kind} in (${sql.join(
  LASTING_KINDS.map((kind) => sql`${kind}`),
  sql`, `,
)})`;

/**
 * Open outages that a viewer sees. While a target does not work, its figures and the slow answers before are not current, so
 * only that counts, its certificate and its plan.
 */
const openOf = (viewer: Viewer, tags: readonly WantedTag[]): SQL | undefined =>
  and(
    visibleTo(outages, viewer),
    isTagged(tags, viewer),
    isNull(outages.endedAt),
    sql`(${isBroken} or ${lasting} or not exists (select 1 from ${outages} as o where o.target_type = ${outages.targetType}
      and o.target_id = ${outages.targetId} and o.kind in ('down', 'offline') and o.ended_at is null))`,
    sql`not ${isQuiet()}`,
  );

const rounded = (figure: number | null) => (figure === null ? null : Math.round(figure));

type Store = Pick<Deps, "db" | "clock">;

const ORDER = [sql`case when ${isBroken} then 0 else 1 end`, desc(outages.startedAt), desc(outages.id)] as const;

/** Open outages that are no problems, because their targets are in maintenance: their ids, and how many are down or offline. */
type Held = { ids: number[]; monitors: number; agents: number };
/** Open outages of teams with a window that are read: with more, the rest are problems. */
const MAX_HELD = 5000;

const readHeld = async ({ db, clock }: Store, viewer: Viewer, tags: readonly WantedTag[]): Promise<Held> => {
  const now = clock.now();
  const { id, targetType: type, targetId, teamId, kind } = outages;
  const rows = await db
    .select({ id, teamId, kind, target: { type, id: targetId, teamId } })
    .from(outages)
    .where(and(openOf(viewer, tags), mayBeInMaintenance(teamId, now)))
    .orderBy(...ORDER)
    .limit(MAX_HELD);
  const untilOf = await readMaintenance(
    { db },
    rows.map(({ target }) => target),
    now,
  );
  const held = rows.filter(({ target }) => untilOf(target, now) !== null);
  const count = (kind: OutageKind) => held.filter((one) => one.kind === kind).length;
  return { ids: held.map((one) => one.id), monitors: count("down"), agents: count("offline") };
};

/** The ids of the first problems, found first: joining all of them would be slow while thousands of monitors are down. */
const readIds = async ({ db }: Store, viewer: Viewer, tags: readonly WantedTag[], held: Held): Promise<number[]> => {
  const rows = await db
    .select({ id: outages.id })
    .from(outages)
    .where(and(openOf(viewer, tags), held.ids.length > 0 ? not(isOneOf(outages.id, held.ids)) : undefined))
    .orderBy(...ORDER)
    .limit(MAX_PROBLEMS);
  return rows.map(({ id }) => id);
};

const readRows = ({ db, clock }: Store, ids: number[]) =>
  db
    .select({
      outage: outages,
      name: targetName(outages.targetType, outages.targetId),
      figure: events.figure,
      threshold: events.threshold,
      mount: events.mount,
      mute: muteColumns,
    })
    .from(outages)
    .leftJoin(events, isLatestOpening)
    .leftJoin(
      mutes,
      or(
        and(eq(outages.targetType, "monitor"), isActiveMute("monitor", outages.targetId, clock.now())),
        and(eq(outages.targetType, "agent"), isActiveMute("agent", outages.targetId, clock.now())),
      ),
    )
    .where(isOneOf(outages.id, ids))
    .orderBy(...ORDER);

const presentRows = async (deps: Store, viewer: Viewer, ids: number[]): Promise<ProblemRow[]> => {
  if (ids.length === 0) return [];
  const rows = await readRows(deps, ids);
  const { clock } = deps;
  const belonging = await readBelongings(
    deps,
    viewer,
    rows.map(({ outage }) => outage),
  );
  const explainingOf = await readExplaining(
    deps,
    rows.map(({ outage }) => outage),
  );
  const idsOf = (is: (outage: (typeof rows)[number]["outage"]) => boolean) =>
    rows.flatMap(({ outage }) => (is(outage) ? [outage.targetId] : []));
  const failures = await viewOf("monitor").readFailures(
    deps,
    idsOf(({ kind }) => kind === "down"),
  );
  const servers = await viewOf("agent").read(
    deps,
    idsOf(({ targetType }) => targetType === "agent"),
  );
  const targetOf = ({ targetType, targetId, teamId }: (typeof rows)[number]["outage"]) => ({
    ...{ type: targetType, id: targetId, teamId },
  });
  const now = clock.now();
  const untilOf = await readMaintenance(
    deps,
    rows.map(({ outage }) => targetOf(outage)),
    now,
  );
  return rows.map(({ outage, name, figure, threshold, mount, mute }) => {
    const error = (outage.kind === "down" && failures.get(outage.targetId)?.error) || storedError(outage);
    const { reportedAt = null, cpu = null, memory = null } = servers.get(outage.targetId) ?? {};
    return {
      id: outage.id,
      target_type: outage.targetType,
      target_id: outage.targetId,
      target_name: name,
      ...belonging(outage),
      kind: outage.kind,
      since: isoTime(outage.startedAt),
      started_after: isoTimeOrNull(outage.startedAfter),
      error_code: error?.code ?? null,
      error_detail: error?.detail ?? null,
      figure,
      threshold,
      mount,
      ...presentPart(outage),
      last_report:
        outage.targetType === "agent"
          ? { at: isoTimeOrNull(reportedAt), cpu: rounded(cpu), memory: rounded(memory) }
          : null,
      cause: outage.cause && presentCause(outage.cause),
      muted: presentMute(mute),
      maintenance: presentMaintenance(untilOf(targetOf(outage), now)),
      explaining: explainingOf(outage),
      acknowledged: presentAcknowledgement(outage, clock.now()),
      flapping: outage.flapping,
    };
  });
};

/**
 * The problems that a viewer sees, of targets with all of these tags: down and offline targets, then others, each newest first;
 * and in the same way, the open outages of targets in maintenance, with the number of those that are down or offline.
 */
export const readProblems = async (deps: Store, viewer: Viewer, tags: readonly WantedTag[] = []) => {
  const held = await readHeld(deps, viewer, tags);
  const problems = await presentRows(deps, viewer, await readIds(deps, viewer, tags, held));
  const isWhole = problems.length < MAX_PROBLEMS;
  return {
    problems,
    problems_total: isWhole ? problems.length : (await deps.db.$count(outages, openOf(viewer, tags))) - held.ids.length,
    in_maintenance: {
      ...{ monitors: held.monitors, agents: held.agents, total: held.ids.length },
      outages: await presentRows(deps, viewer, held.ids.slice(0, MAX_PROBLEMS)),
    },
  };
};

/** The end of the last outage with a viewer's target down or offline, or null. */
export const readWellSince = async (
  { db }: Pick<Deps, "db">,
  viewer: Viewer,
  tags: readonly WantedTag[] = [],
): Promise<string | null> => {
  const [row] = await db
    .select({ endedAt: outages.endedAt })
    .from(outages)
    .where(and(visibleTo(outages, viewer), isTagged(tags, viewer), isBroken, sql`${outages.endedAt} is not null`))
    .orderBy(desc(outages.endedAt))
    .limit(1);
  return isoTimeOrNull(row?.endedAt ?? null);
};
