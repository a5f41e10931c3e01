/** The public page of a link in a message, which needs no session. */
import type { Static } from "@sinclair/typebox";
import { eq } from "drizzle-orm";
import { assertNotRefused, claimAttempt, limitKey, networkLimits } from "../../../../cluster/rate-limit";
import type { Deps } from "../../../../core/deps";
import { AppError } from "../../../../core/errors";
import { events, outages } from "../../../../db/schema";
import { isoTime } from "../../../../lib/time";
import { checkErrorCode, errorDetail, nullable, number, object, oneOf, text, time } from "../../../../server/answers";
import { storedError } from "../../../../shared/check-error";
import { OUTAGE_KINDS } from "../../../../shared/notifications";
import { readLinkChannel } from "../../delivery/acknowledgements";
import { partFields, presentPart } from "../../facts";
import { targetName, viewOf } from "../../targets";
import { isLatestOpening } from "../service";
import { verifyLink } from "./link";
import { acknowledge, acknowledgedField, isUnacknowledged, presentAcknowledgement, trimmed } from "./service";

/** The outage of a link, with no more details than in its message. */
export const LinkedOutage = object({
  target_type: oneOf("The kind of target.", ["monitor", "agent"]),
  target_name: text("Its name.", "Payments API"),
  kind: oneOf("As in the list of outages.", OUTAGE_KINDS),
  since: time("When it began.", "2026-01-15T12:05:00.000Z"),
  error_code: checkErrorCode("Why the last check failed; null for servers."),
  error_detail: nullable(errorDetail(30, "seconds"), null),
  figure: nullable(
    number("The figure that crossed its threshold: percent, °C, load per core, or days; null for other kinds.", 96.5),
    null,
  ),
  threshold: nullable(number("The threshold in the same; null for other kinds.", 90), null),
  mount: nullable(text("The mount point of the full disk; null for other kinds.", "/var"), null),
  ...partFields,
  now: time("The time of the hub."),
  acknowledged: acknowledgedField,
});

type Link = { id: number; token: string };

/**
 * The open outage of a link, and the channel whose message it is in. Wrong tokens count as attempts of `networks`.
 * They do not stop a valid one: its 128 bits cannot be tried out, and behind a proxy many people have one address.
 * @throws {AppError} link_invalid, link_expired, outage_ended, rate_limited
 */
const findLinked = async (deps: Deps, { id, token }: Link, networks: string[]) => {
  const { db, clock } = deps;
  const grant = verifyLink(deps, id, token);
  if (!grant) {
    const limits = networkLimits(networks, 60, (network) => limitKey("link", network));
    assertNotRefused(deps, limits);
    await claimAttempt(deps, limits);
    throw new AppError("link_invalid");
  }
  if (grant.expiresAt <= clock.now()) throw new AppError("link_expired");
  const [row] = await db.select().from(outages).where(eq(outages.id, id));
  const channel = row && (await readLinkChannel(deps, grant.channelId, row.userId));
  if (!channel) throw new AppError("link_invalid");
  if (row.endedAt !== null) throw new AppError("outage_ended");
  return { row, channel: { type: channel.type, name: channel.name } };
};

/**
 * What the page of a link shows. It changes nothing: programs that show previews of links open them, too.
 * @throws {AppError} link_invalid, link_expired, outage_ended, rate_limited
 */
export const readLinked = async (deps: Deps, link: Link, networks: string[]): Promise<Static<typeof LinkedOutage>> => {
  const { row } = await findLinked(deps, link, networks);
  const [found] = await deps.db
    .select({
      name: targetName(outages.targetType, outages.targetId),
      figure: events.figure,
      threshold: events.threshold,
      mount: events.mount,
    })
    .from(outages)
    .leftJoin(events, isLatestOpening)
    .where(eq(outages.id, row.id));
  const now = deps.clock.now();
  const failures = await viewOf("monitor").readFailures(deps, row.kind === "down" ? [row.targetId] : []);
  const error = failures.get(row.targetId)?.error ?? storedError(row);
  return {
    target_type: row.targetType,
    target_name: found?.name ?? "",
    kind: row.kind,
    since: isoTime(row.startedAt),
    error_code: error?.code ?? null,
    error_detail: error?.detail ?? null,
    figure: found?.figure ?? null,
    threshold: found?.threshold ?? null,
    mount: found?.mount ?? null,
    ...presentPart(row),
    now: isoTime(now),
    acknowledged: presentAcknowledgement(row, now),
  };
};

/**
 * Acknowledges an outage by the link of a message, until it recovers.
 * @throws {AppError} link_invalid, link_expired, outage_ended, already_acknowledged, rate_limited
 */
export const acknowledgeByLink = async (
  deps: Deps,
  { name, note, ...link }: Link & { name?: string; note?: string },
  networks: string[],
): Promise<Static<typeof acknowledgedField>> => {
  const { row, channel } = await findLinked(deps, link, networks);
  const now = deps.clock.now();
  if (presentAcknowledgement(row, now)) throw new AppError("already_acknowledged");
  const change = { by: trimmed(name), via: channel, until: null, note: trimmed(note) };
  if (!(await acknowledge(deps, row, change, isUnacknowledged(now)))) {
    const [latest] = await deps.db.select().from(outages).where(eq(outages.id, row.id));
    throw new AppError(latest && latest.endedAt === null ? "already_acknowledged" : "outage_ended");
  }
  const [latest] = await deps.db.select().from(outages).where(eq(outages.id, row.id));
  return latest ? presentAcknowledgement(latest, now) : null;
};
