/** One attempt to send what was claimed as one message: an event, or the latest states of several. */

import { and, eq, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { describeError } from "../../../core/errors";
import { type Owner, ownedBy, ownerOf, type Viewer } from "../../../db/owner";
import { channels, events, outageEventColumns, outages, users } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import type { CheckError } from "../../../shared/check-error";
import {
  type DeliveryPurpose,
  deliveryErrorText,
  isClosing,
  REPORT_EVENT,
  type ReportFacts,
} from "../../../shared/notifications";
import type { DeliveryResult, MessageContext, Severity } from "../channels/kind";
import { BUILT_IN_ID, builtInChannel, channelKinds } from "../channels/registry";
import { sendTo } from "../channels/send";
import { fits, type Message } from "../channels/text";
import { readExplained } from "../dependencies/explanations";
import { isUsableBy } from "../follows/service";
import { type DigestSubject, digestOf, latestOf } from "../messages/digest";
import type { Reader } from "../messages/format";
import { readerOf } from "../messages/format";
import { type AlertEvent, linkBase, messageOf } from "../messages/message";
import { acknowledgeAction, messageFor } from "../messages/purpose";
import { LINK_AGE, linkOf, MAX_LINKED } from "../outages/acknowledge/link";
import { presentAcknowledgement } from "../outages/acknowledge/service";
import { countOnServer } from "../outages/causes/servers";
import { viewOf } from "../targets";
import { applyTemplate } from "../templates/apply";
import type { Claimed } from "./claim";
import type { Outcome } from "./outcome";

/** An event with the reason why its monitor is down now: a reminder may follow hours after the failure became another one. */
const withPresentError = (event: AlertEvent, error: CheckError | null): AlertEvent =>
  error ? { ...event, errorCode: error.code, errorDetail: error.detail } : event;

type Joined = {
  event: Pick<AlertEvent, "kind" | "targetType" | "targetId">;
  outage: { endedAt: number | null } | null;
};

/** The addresses of the monitors of these events, and the latest failures of those that are still down. */
const readMonitors = async ({ db }: Pick<Deps, "db">, rows: readonly Joined[]) => {
  const isDown = ({ event, outage }: Joined) => event.kind === "down" && outage?.endedAt === null;
  const idsOf = (some: readonly Joined[]) =>
    some.flatMap(({ event }) => (event.targetType === "monitor" ? [event.targetId] : []));
  const facts = await viewOf("monitor").read({ db }, idsOf(rows));
  const failures = await viewOf("monitor").readFailures({ db }, idsOf(rows.filter(isDown)));
  return (row: Joined) => ({
    target: row.event.targetType === "monitor" ? (facts.get(row.event.targetId)?.address ?? null) : null,
    isJob: row.event.targetType === "monitor" && (facts.get(row.event.targetId)?.isPassive ?? false),
    ...((isDown(row) && failures.get(row.event.targetId)) || { error: null, inRow: 0 }),
  });
};

/** The language and time zone of a member whose own channel follows the team of an event. */
const readFollower = async (
  { db }: Pick<Deps, "db">,
  { channel, event }: { channel: { teamId: number } | null; event: { teamId: number } },
) => {
  if (!channel || channel.teamId === event.teamId) return undefined;
  const [user] = await db
    .select({ language: users.language, timeZone: users.timeZone })
    .from(users)
    .where(ownedBy(users, channel.teamId));
  return user;
};

/**
 * The content and the recipient of each claimed delivery; null if the channel is deleted, switched off, or no longer usable by
 * its owner.
 */
const load = async ({ db, config }: Deps, { deliveries }: Claimed) => {
  const [{ channelId, teamId }] = deliveries;
  const usable = and(eq(channels.id, channelId), isUsableBy(db, teamId), eq(channels.enabled, true));
  const rows = await db
    .select({
      event: outageEventColumns,
      outage: outages,
      reader: { language: users.language, timeZone: users.timeZone },
      role: users.role,
      channel: channels,
      makerRole: sql<
        Viewer["role"] | null
      >`(select maker.role from ${users} as maker where maker.id = ${channels.userId})`,
      kind: events.kind,
    })
    .from(events)
    .innerJoin(users, eq(users.id, events.userId))
    .leftJoin(outages, eq(outages.id, events.outageId))
    .leftJoin(channels, usable)
    .where(
      isOneOf(
        events.id,
        deliveries.map(({ eventId }) => eventId),
      ),
    );
  const [row] = rows;
  if (!row) return null;
  const channel = channelId === BUILT_IN_ID ? builtInChannel(config, row.role) : row.channel;
  const monitorOf = await readMonitors({ db }, rows);
  const byEvent = new Map(
    rows.map((row) => {
      const { event, outage } = row;
      const { target, isJob, error, inRow: failures } = monitorOf(row);
      const cause = outage?.cause ?? null;
      const startedAfter = outage?.kind === "down" && !isJob ? outage.startedAfter : null;
      const presented = { ...withPresentError(event, error), startedAfter };
      return [event.id, { event: presented, target, isJob, outage, cause, failures }];
    }),
  );
  const subjects = deliveries.flatMap((delivery) => {
    const content = byEvent.get(delivery.eventId);
    return content ? [{ ...content, purpose: delivery.purpose, delivery }] : [];
  });
  return (
    channel && {
      subjects,
      report: row.kind === REPORT_EVENT ? (row.event.facts?.report ?? null) : null,
      reader: readerOf({ config }, (await readFollower({ db }, row)) ?? row.reader),
      owner: { ...ownerOf(row.event), role: row.role },
      // Where it may send to depends on who made the channel, and not on whose monitor it is about.
      recipient: {
        ...channel,
        owner: { id: row.channel?.userId ?? row.event.userId, role: row.makerRole ?? row.role },
      },
    }
  );
};

type Subject = DigestSubject & {
  event: AlertEvent;
  outage: typeof outages.$inferSelect | null;
  failures: number;
  delivery: Pick<Claimed["deliveries"][0], "channelId" | "sequence" | "dueAt">;
};

/** The id of the outage that a message about this subject offers to acknowledge. */
const openOutageOf = ({ event, outage }: Subject): number[] =>
  !outage || outage.endedAt !== null || isClosing(event.kind) ? [] : [outage.id];

/** The page that acknowledges outages, for a message about open ones. */
const acknowledgeLinkOf = (
  deps: Deps,
  base: string,
  outageIds: readonly number[],
  { channelId, dueAt }: Subject["delivery"],
): string | null =>
  outageIds.length === 0 || outageIds.length > MAX_LINKED
    ? null
    : linkOf(deps, base, { outageIds, channelId, expiresAt: dueAt + LINK_AGE });

/** The action that acknowledges all open outages of a message that are not acknowledged. */
const acknowledgeAllOf = (deps: Deps, base: string, latest: readonly Subject[], reader: Reader) => {
  const now = deps.clock.now();
  const open = latest.filter(({ outage }) => outage && presentAcknowledgement(outage, now) === null);
  const ids = [...new Set(open.flatMap(openOutageOf))];
  const link = latest[0] ? acknowledgeLinkOf(deps, base, ids, latest[0].delivery) : null;
  return link ? acknowledgeAction(link, reader, ids.length) : null;
};

/** How urgent messages are whose urgency does not follow from their event. */
const SEVERITIES: Partial<Record<DeliveryPurpose, Severity>> = { acknowledged: "info", flapping: "warning" };

/** The outages that the subject's outage explains. */
const explainedOf = async (deps: Deps, { event, outage }: Subject) =>
  outage ? readExplained(deps, outage, event.kind) : undefined;

/** The message about one event. */
const composeOne = async (
  deps: Deps,
  subject: Subject,
  reader: Reader,
  base: string,
): Promise<Message & MessageContext> => {
  const { event, isJob = false, outage, failures, purpose = "alert", delivery } = subject;
  const explained = await explainedOf(deps, subject);
  const isSilent = event.kind === "offline" && outage?.endedAt === null && event.since !== null;
  const server = { id: event.targetId, teamId: event.teamId };
  const answering = isSilent ? await countOnServer(deps, server, event.since ?? 0) : undefined;
  const acknowledgeLink = acknowledgeLinkOf(deps, base, openOutageOf(subject), delivery);
  const message = messageOf({ ...subject, explained, acknowledgeLink, ...(answering && { answering }) }, reader, base);
  const { sequence, dueAt } = delivery;
  return {
    ...messageFor(
      message,
      { purpose, sequence, event, dueAt, failures, name: event.targetName, isJob, outage },
      reader,
    ),
    event,
    language: reader.language,
    ...(SEVERITIES[purpose] && { severity: SEVERITIES[purpose] }),
  };
};

/**
 * The message about these subjects, for a channel of a kind: about the last one where all are of one target, and then by a
 * template where there is one.
 */
const compose = async (
  deps: Deps,
  { deliveries: [{ teamId, channelId }] }: Claimed,
  { subjects, reader, recipient: { type } }: NonNullable<Awaited<ReturnType<typeof load>>>,
): Promise<Message & MessageContext> => {
  const base = await linkBase(deps);
  const latest = latestOf(subjects);
  const [only] = latest;
  if (only && latest.length === 1) {
    const place = { teamId, channelId, purpose: only.purpose, reader };
    return applyTemplate(deps, place, only, await composeOne(deps, only, reader, base));
  }
  const complete: Subject[] = [];
  for (const subject of subjects) complete.push({ ...subject, explained: await explainedOf(deps, subject) });
  const [format, { language }] = [channelKinds.get(type)?.text, reader];
  const digest = digestOf(complete, reader, base, {
    fits: (message) => !format || fits(message, format),
    action: acknowledgeAllOf(deps, base, latest, reader),
  });
  return { ...digest, event: null, language };
};

/** Stays the same when the same deliveries are sent again. The time distinguishes installations that share the account. */
const keyOf = ({ id, deliveries: [first, ...others] }: Claimed): string => {
  if (others.length === 0) return `wakeful-${first.eventId}-${first.id}-${first.createdAt}`;
  const rest = Bun.hash(others.map((other) => other.id).join()).toString(36);
  return `wakeful-${id}-${others.length}-${rest}-${first.createdAt}`;
};

/** Composes the message of a report for its owner; null when what it is about was deleted. */
export type ComposeReport = (
  owner: Owner & { role: Viewer["role"] },
  report: ReportFacts,
  reader: Reader,
  base: string,
) => Promise<(Message & MessageContext) | null>;

/**
 * Sends a message. `cancelled` when its channel is gone, `gone` when what its report is about is, `not_started` when the hub
 * could not send it now.
 */
export const attempt = async (deps: Deps, claimed: Claimed, composeReport: ComposeReport): Promise<Outcome> => {
  try {
    const loaded = await load(deps, claimed);
    if (!loaded) return "cancelled";
    const { owner, recipient, report, reader } = loaded;
    const message = report
      ? await composeReport(owner, report, reader, await linkBase(deps))
      : await compose(deps, claimed, loaded);
    if (!message) return "gone";
    const number = Math.min(...claimed.deliveries.map(({ attempts }) => attempts)) + 1;
    const since = claimed.deliveries[0].createdAt;
    const result = await sendTo(deps, recipient, message, { key: keyOf(claimed), number, since });
    logAttempt(deps, claimed, number, result);
    return result;
  } catch (error) {
    deps.log.error("delivery failed to start, will retry", { delivery: claimed.id, error: describeError(error) });
    return "not_started";
  }
};

const logAttempt = ({ log }: Deps, { id, deliveries }: Claimed, number: number, result: DeliveryResult): void =>
  log.debug("delivery attempted", {
    delivery: id,
    ...(deliveries.length > 1 && { deliveries: deliveries.length }),
    channel: deliveries[0].channelId,
    attempt: number,
    sent: result.sent,
    answer: result.sent ? result.reply : deliveryErrorText(result.error, "en-US"),
  });
