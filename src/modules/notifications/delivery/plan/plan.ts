/**
 * Planning: each event becomes a delivery for each channel that it is sent to. Nothing waits in a timer: what is sent later
 * is a row with a due time, so a restart and a second instance change nothing.
 *
 *   1. read      batch.ts       events that are not planned, with their rule, policy, channels and outage
 *   2. explain   outages/causes what probably explains the outages that they open
 *   3. mute      mutes/apply.ts which of them are muted, and which mutes they end
 *   4. decide    `stages` below which are held, withheld, or sent for another purpose: holds.ts, flapping.ts
 *   5. address   address.ts     the first step of the policy; of a closing event the channels that were notified: recovery.ts;
 *                               of a drill all at once: drill.ts
 *   6. suppress  suppressors.ts the reason not to send to a channel
 *   7. time      address.ts     once no other has come for two seconds, and not in quiet hours: quiet.ts
 *   8. write     write.ts       in one transaction
 *
 * `timedStages` take what has become due without an event, as the next step of an outage: escalate.ts. When anything is due
 * next: due.ts.
 */
import { eq } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import type { Statement } from "../../../../db/database";
import { mutes } from "../../../../db/schema";
import { lockAlerts } from "../../../../db/sql";
import { isClosing, isLasting } from "../../../../shared/notifications";
import { updateCauses } from "../../../outages/causes/update";
import { applyMutes, deleteMutes, endMutes } from "../../mutes/apply";
import { type Suppressor, selects } from "../suppressors";
import { addressOf, suppress, timeOf } from "./address";
import { type PlannedEvent, readBatch } from "./batch";
import { escalate, nextTime } from "./escalate";
import { announceFlapping, continueFlapping, settleFlapping } from "./flapping";
import { holdForParents, releaseExplained, releaseHolds } from "./holds";
import { type Notified, readNotified, withdrawEnded } from "./recovery";
import type { Decided, Decision, Stage } from "./stage";
import { type Planned, type Started, writePlan } from "./write";

/** Withholds the alert of an outage that has ended before anyone was notified of it, or that is acknowledged. */
const withholdEndedOrAcknowledged: Stage = async ({ clock }, batch) => {
  const now = clock.now();
  const decisions = new Map<number, Decision>();
  for (const { event, outage } of batch) {
    if (!outage || isClosing(event.kind)) continue;
    const { endedAt, acknowledgedAt, acknowledgedUntil } = outage;
    if (endedAt !== null) decisions.set(event.id, { withheld: "recovered" });
    // A tighter threshold of a certificate is sent, although its outage was acknowledged at one before.
    else if (!isLasting(outage.kind) && acknowledgedAt !== null && (acknowledgedUntil ?? now + 1) > now)
      decisions.set(event.id, { withheld: "acknowledged" });
  }
  return { decisions };
};

/** Asked in this order about each event of a batch that none before has decided about. */
const stages: readonly Stage[] = [continueFlapping, holdForParents, withholdEndedOrAcknowledged, announceFlapping];

/** They run after the events are planned, and return whether events wait to be planned, or more is due. */
const timedStages: readonly ((deps: Deps, suppressors: readonly Suppressor[]) => Promise<boolean>)[] = [
  endMutes,
  releaseExplained,
  releaseHolds,
  escalate,
  withdrawEnded,
  settleFlapping,
];

/** What the stages decide about a batch, and what they store. */
const decide = async (deps: Deps, batch: readonly PlannedEvent[]) => {
  const decisions = new Map<number, Decision>();
  const writes: NonNullable<Decided["statements"]>[] = [];
  for (const stage of stages) {
    const open = batch.filter(({ event }) => !event.drill && !decisions.has(event.id));
    const decided = await stage(deps, open);
    for (const [id, decision] of decided.decisions) decisions.set(id, decision);
    if (decided.statements) writes.push(decided.statements);
  }
  const holds = new Map(
    [...decisions].flatMap(([id, decision]) => ("holdUntil" in decision ? [[id, decision.holdUntil] as const] : [])),
  );
  return { decisions, holds, writes };
};

/**
 * Whether an outage goes on to the next step or to reminders, once the first message about it is planned. That of a
 * certificate or a plan has an event for each threshold instead.
 */
const isEscalated = ({ event, outage, rule, policy }: PlannedEvent, rows: readonly Planned[]): boolean =>
  outage !== null &&
  !isClosing(event.kind) &&
  outage.kind !== "certificate" &&
  (policy.steps.length > 1 || policy.repeatMinutes > 0) &&
  rule.enabled &&
  selects(rule, event) &&
  // No row at all: the channels of the first step are gone.
  (rows.length === 0 || rows.some(({ reason }) => reason === null || reason === "quiet_hours"));

/** The deliveries of an event, and the escalation that follows. */
const planEvent = (
  planned: PlannedEvent,
  { decision, notified }: { decision: Decision | undefined; notified: Notified | undefined },
  suppressors: readonly Suppressor[],
  facts: { muted: boolean; now: number },
): { rows: Planned[]; started: Started[] } => {
  const withheld = decision && "withheld" in decision ? decision.withheld : null;
  const rows = addressOf(planned, decision, notified).flatMap((draft) => {
    const kept = suppress(draft, suppressors, { ...facts, withheld });
    if (!kept) return [];
    const time = timeOf(planned, kept.channel, facts.now);
    return [{ ...kept, ...time, reason: kept.reason ?? time.reason }];
  });
  // The steps of an outage whose target was unstable begin once it is stable.
  const isSettled = decision && "purpose" in decision && decision.purpose === "settled";
  if ((decision && !isSettled) || facts.muted || !isEscalated(planned, rows)) return { rows, started: [] };
  const firstAt = rows.reduce((first, { dueAt }) => Math.min(first, dueAt), rows[0]?.dueAt ?? facts.now);
  const start = { startedAt: planned.event.at, nextStep: 1, reminders: 0, remindedAt: firstAt };
  const nextAt = nextTime(start, planned.policy);
  return { rows, started: nextAt === null ? [] : [{ planned, firstAt, nextAt }] };
};

/**
 * Stores a delivery for each channel that a new event is to be sent to. Planning an event twice changes nothing. A
 * mute ends with the recovery of its target. Gives whether more events may be waiting.
 */
export const planEvents = async (deps: Deps, suppressors: readonly Suppressor[]): Promise<boolean> => {
  const { db, clock } = deps;
  const { batch, more } = await readBatch(deps);
  if (batch.length === 0) return false;
  const real = batch.flatMap(({ event }) => (event.drill ? [] : [event]));
  await updateCauses(deps, real);
  const { muted, ended } = await applyMutes(deps, real);
  const { decisions, holds, writes } = await decide(deps, batch);
  const notified = await readNotified(deps, batch);
  const now = clock.now();
  const plans = batch
    .filter(({ event }) => !holds.has(event.id))
    .map((planned) => {
      const { id } = planned.event;
      const known = { decision: decisions.get(id), notified: notified.get(id) };
      return planEvent(planned, known, suppressors, { muted: muted.has(id), now });
    });
  const [rows, started] = [plans.flatMap((plan) => plan.rows), plans.flatMap((plan) => plan.started)];
  await db.atomically((tx): Statement[] => [
    ...lockAlerts,
    ...writes.flatMap((statements) => statements(tx)),
    ...writePlan({ batch, rows, started, holds, notified }, now),
    ...(ended.length > 0 ? [deleteMutes(ended, eq(mutes.untilRecovery, true))] : []),
  ]);
  return more;
};

/** Takes what has become due without an event. Gives whether events wait to be planned, or more is due. */
export const planDue = async (deps: Deps, suppressors: readonly Suppressor[]): Promise<boolean> => {
  let more = false;
  for (const stage of timedStages) more = (await stage(deps, suppressors)) || more;
  return more;
};
