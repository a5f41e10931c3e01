/** The public page of a link in a message, which needs no session. */
import type { Static } from "@sinclair/typebox";
import { assertNotRefused, claimAttempt, limitKey, networkLimits } from "../../../../cluster/rate-limit";
import type { Deps } from "../../../../core/deps";
import { AppError } from "../../../../core/errors";
import { events, outages } from "../../../../db/schema";
import { isOneOf } from "../../../../db/sql";
import { isoTime, isoTimeOrNull } from "../../../../lib/time";
import { checkErrorCode, errorDetail, nullable, object, oneOf, text, time } from "../../../../server/answers";
import { storedError } from "../../../../shared/check-error";
import { OUTAGE_KINDS } from "../../../../shared/notifications";
import { anonymous } from "../../../accounts/audit/record";
import { networksOf } from "../../../accounts/client-address";
import { readLinkChannel } from "../../delivery/acknowledgements";
import { figureFields, partFields, presentPart } from "../../facts";
import { targetName, viewOf } from "../../targets";
import { isLatestOpening, startedAfterField } from "../service";
import { type LinkedIds, outageIdsOf, verifyLink } from "./link";
import {
  acknowledge,
  acknowledgedColumns,
  acknowledgedField,
  isUnacknowledged,
  presentAcknowledgement,
  trimmed,
} from "./service";

/** The outage of a link, with no more details than in its message. */
export const LinkedOutage = object({
  target_type: oneOf("The kind of target.", ["monitor", "agent"]),
  target_name: text("Its name.", "Payments API"),
  kind: oneOf("As in the list of outages.", OUTAGE_KINDS),
  since: time("When it began.", "2026-01-15T12:05:00.000Z"),
  started_after: startedAfterField,
  error_code: checkErrorCode("Why the last check failed; null for servers."),
  error_detail: nullable(errorDetail(30, "seconds"), null),
  ...figureFields,
  ...partFields,
  now: time("The time of the hub."),
  acknowledged: acknowledgedField,
});

type Link = LinkedIds & { token: string };

/**
 * The open outages of a link, how many others have ended, and the channel whose message it is in. Wrong tokens count as
 * attempts of `networks`. They do not stop a valid one: its 128 bits cannot be tried out, and behind a proxy many people have
 * one address.
 * @throws {AppError} link_invalid, link_expired, outage_ended, rate_limited
 */
const findLinked = async (deps: Deps, { token, ...linked }: Link, networks: string[]) => {
  const { db, clock } = deps;
  const ids = outageIdsOf(linked);
  const grant = verifyLink(deps, ids, token);
  if (!grant) {
    const limits = networkLimits(networks, 60, (network) => limitKey("link", network));
    assertNotRefused(deps, limits);
    await claimAttempt(deps, limits);
    throw new AppError("link_invalid");
  }
  if (grant.expiresAt <= clock.now()) throw new AppError("link_expired");
  const rows = await db.select().from(outages).where(isOneOf(outages.id, ids)).orderBy(outages.id);
  const [first] = rows;
  const channel = first && (await readLinkChannel(deps, grant.channelId, first));
  if (!channel || rows.some(({ teamId }) => teamId !== first.teamId)) throw new AppError("link_invalid");
  const open = rows.filter(({ endedAt }) => endedAt === null);
  if (open.length === 0) throw new AppError("outage_ended");
  return { open, ended: ids.length - open.length, channel: { type: channel.type, name: channel.name } };
};

/**
 * What the page of a link shows: its open outages, and how many others have ended. It changes nothing: programs that show
 * previews of links open them, too.
 * @throws {AppError} link_invalid, link_expired, outage_ended, rate_limited
 */
export const readLinked = async (deps: Deps, link: Link, networks: string[]) => {
  const { open, ended } = await findLinked(deps, link, networks);
  const ids = open.map(({ id }) => id);
  const names = await deps.db
    .select({
      id: outages.id,
      name: targetName(outages.targetType, outages.targetId),
      figure: events.figure,
      threshold: events.threshold,
      mount: events.mount,
    })
    .from(outages)
    .leftJoin(events, isLatestOpening)
    .where(isOneOf(outages.id, ids));
  const detailsById = new Map(names.map((one) => [one.id, one]));
  const now = deps.clock.now();
  const down = open.filter(({ kind }) => kind === "down").map(({ targetId }) => targetId);
  const failures = await viewOf("monitor").readFailures(deps, down);
  const present = (row: (typeof open)[number]): Static<typeof LinkedOutage> => {
    const details = detailsById.get(row.id);
    const failure = row.kind === "down" ? failures.get(row.targetId)?.error : null;
    const error = failure ?? storedError(row);
    return {
      target_type: row.targetType,
      target_name: details?.name ?? "",
      kind: row.kind,
      since: isoTime(row.startedAt),
      started_after: isoTimeOrNull(row.startedAfter),
      error_code: error?.code ?? null,
      error_detail: error?.detail ?? null,
      figure: details?.figure ?? null,
      threshold: details?.threshold ?? null,
      mount: details?.mount ?? null,
      ...presentPart(row),
      now: isoTime(now),
      acknowledged: presentAcknowledgement(row, now),
    };
  };
  const [first, ...others] = open.map(present);
  return { outage: first as Static<typeof LinkedOutage>, others, ended };
};

/**
 * Acknowledges the open outages of the link of a message until they recover, unless they are acknowledged.
 * @throws {AppError} link_invalid, link_expired, outage_ended, already_acknowledged, rate_limited
 */
export const acknowledgeByLink = async (
  deps: Deps,
  { name, note, ...link }: Link & { name?: string; note?: string },
  address: string,
): Promise<Static<typeof acknowledgedField>> => {
  const networks = networksOf(address).all;
  const { open, channel } = await findLinked(deps, link, networks);
  const now = deps.clock.now();
  const change = { by: trimmed(name), via: channel, until: null, note: trimmed(note), author: anonymous(address) };
  if ((await acknowledge(deps, open, change, isUnacknowledged(now))) === 0) {
    // They may have ended since they were read.
    await findLinked(deps, link, networks);
    throw new AppError("already_acknowledged");
  }
  return presentAcknowledgement({ ...acknowledgedColumns(change, now), endedAt: null }, now);
};
