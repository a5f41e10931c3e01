/** The outages that a list, its summary and its export are about. */

import { and, eq, gt, isNotNull, isNull, lt, not, or, type SQL, sql } from "drizzle-orm";
import { validation } from "../../../../core/errors";
import { memberOf, teamsOf, type Viewer, visibleTo } from "../../../../db/owner";
import { deliveries, events, outages } from "../../../../db/schema";
import { isOneOf } from "../../../../db/sql";
import { parseSpan, type SentSpan } from "../../../../server/schema";
import { OUTAGE_KINDS, type OutageKind, type TargetType } from "../../../../shared/notifications";
import type { WantedTag } from "../../../tags/model";
import { hasTags } from "../../../tags/service";
import type { OutageFilter } from "../model";

const isKind = (name: string): name is OutageKind => (OUTAGE_KINDS as readonly string[]).includes(name);

/** @throws {AppError} validation */
const parseKinds = (text: string): OutageKind[] => {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !isKind(name));
  if (unknown !== undefined)
    throw validation([
      { path: "kind", message: `kind: expected kinds with commas between them: ${OUTAGE_KINDS.join(", ")}` },
    ]);
  return names.filter(isKind);
};

/** The condition that an outage was open at some time of a span. */
const isWithin = ({ from, to }: SentSpan): SQL | undefined =>
  and(
    to === null ? undefined : lt(outages.startedAt, to),
    from === null ? undefined : or(isNull(outages.endedAt), gt(outages.endedAt, from)),
  );

export const isOfTarget = (type: TargetType, targetId: number): SQL | undefined =>
  and(eq(outages.targetType, type), eq(outages.targetId, targetId));

/** The condition that the target of an outage has all of these tags. */
export const isTagged = (tags: readonly WantedTag[], viewer: Viewer): SQL | undefined => {
  if (tags.length === 0) return undefined;
  const teams = teamsOf(viewer);
  const has = (type: TargetType) => and(eq(outages.targetType, type), hasTags(type, outages.targetId, tags, teams));
  return or(has("monitor"), has("agent"));
};

const wasSentTo = (channelId: number, viewer: Viewer): SQL =>
  sql`exists (select 1 from ${events} join ${deliveries} on ${deliveries.eventId} = ${events.id}
    where ${events.outageId} = ${outages.id} and ${memberOf(events, viewer)}
      and ${deliveries.channelId} = ${channelId} and ${deliveries.state} = 'sent')`;

/** An outage that has ended was acknowledged if it was when it ended. */
const isAcknowledged = (now: number): SQL | undefined =>
  and(
    isNotNull(outages.acknowledgedAt),
    or(isNull(outages.acknowledgedUntil), gt(outages.acknowledgedUntil, sql`coalesce(${outages.endedAt}, ${now})`)),
  );

/**
 * The condition of the outages that a viewer sees and a filter selects.
 * @throws {AppError} validation
 */
export const matches = (
  viewer: Viewer,
  { target, open, tags = [], kind, channel, acknowledged, ...range }: OutageFilter,
  now: number,
): SQL | undefined => {
  const [type, targetId] = target?.split(":") ?? [];
  const acknowledgement = acknowledged === undefined ? undefined : isAcknowledged(now);
  return and(
    visibleTo(outages, viewer),
    isWithin(parseSpan(range)),
    type === undefined ? undefined : isOfTarget(type as TargetType, Number(targetId)),
    open === undefined ? undefined : open === "1" ? isNull(outages.endedAt) : isNotNull(outages.endedAt),
    isTagged(tags, viewer),
    kind === undefined ? undefined : isOneOf(outages.kind, parseKinds(kind)),
    channel === undefined ? undefined : wasSentTo(channel, viewer),
    acknowledgement && (acknowledged === "1" ? acknowledgement : not(acknowledgement)),
  );
};
