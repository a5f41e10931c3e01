/**
 * Planning: each event becomes a delivery for each channel that it is sent to. Nothing waits in a timer: what is sent later
 * is a row with a due time, so a restart and a second instance change nothing.
 *
 *   1. read      batch.ts       events that are not planned, with their rule, policy, channels and outage
 *   2. explain   outages/causes what probably explains the outages that they open
 *   3. mute      mutes/apply.ts which of them are muted, and which mutes they end
 *   4. decide    `stages` below which are held, withheld, or sent for another purpose: holds.ts, flapping.ts
 *   5. address   addressOf      the first step of the policy; of drills all at once: drill.ts
 *   6. suppress  suppressors.ts the reason not to send to a channel
 *   7. write     write.ts       in one transaction
 *
 * `timedStages` take what has become due without an event. When anything is due next: due.ts.
 */
import { eq } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import type { Statement } from "../../../../db/database";
import { mutes } from "../../../../db/schema";
import { lockAlerts } from "../../../../db/sql";
import { SECOND } from "../../../../shared/limits";
import { updateCauses } from "../../../outages/causes/update";
import { applyMutes, deleteMutes, endMutes } from "../../mutes/apply";
import type { PlanContext, Suppressor } from "../suppressors";
import { type PlannedEvent, readBatch } from "./batch";
import { draftDrill } from "./drill";
import { limitFlapping } from "./flapping";
import { holdForParents } from "./holds";
import type { Decided, Decision, Draft, Stage } from "./stage";
import { type Planned, writePlan } from "./write";

/** Asked in this order about each event of a batch that none before has decided about. */
const stages: readonly Stage[] = [holdForParents, limitFlapping];

/** They run after the events are planned, and return whether events wait to be planned, or more is due. */
const timedStages: readonly ((deps: Deps) => Promise<boolean>)[] = [endMutes];

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

/** The messages of an event, before the suppressors are asked. */
const addressOf = (planned: PlannedEvent, decision: Decision | undefined): Draft[] => {
  if (planned.event.drill) return draftDrill(planned);
  const purpose = decision && "purpose" in decision ? decision.purpose : "alert";
  const [first] = planned.policy.steps;
  return (first?.channels ?? []).map((id) => ({ planned, channel: planned.channelOf(id), purpose, sequence: 0 }));
};

/** The delivery of a message, with the reason if it is suppressed; none where no reason is to be stored. */
const deliveryOf = (draft: Draft, suppressors: readonly Suppressor[], context: PlanContext): Planned[] => {
  const { planned, channel } = draft;
  const suppressor = suppressors.find(({ reason }) => reason(planned.event, context) !== null);
  if (!channel || (suppressor && !suppressor.stored)) return [];
  const reason = suppressor?.reason(planned.event, context) ?? null;
  const groupSeconds = planned.event.drill ? 0 : planned.policy.groupSeconds;
  return [{ ...draft, channel, reason, dueAt: context.now + groupSeconds * SECOND, groupSeconds }];
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
  const now = clock.now();
  const rows = batch
    .filter(({ event }) => !holds.has(event.id))
    .flatMap((planned) => {
      const decision = decisions.get(planned.event.id);
      const withheld = decision && "withheld" in decision ? decision.withheld : null;
      return addressOf(planned, decision).flatMap((draft) => {
        const { rule } = planned;
        const context = { rule, channel: draft.channel, muted: muted.has(planned.event.id), withheld, now };
        return deliveryOf(draft, suppressors, context);
      });
    });
  await db.atomically((tx): Statement[] => [
    ...lockAlerts,
    ...writes.flatMap((statements) => statements(tx)),
    ...writePlan(batch, rows, holds, now),
    ...(ended.length > 0 ? [deleteMutes(ended, eq(mutes.untilRecovery, true))] : []),
  ]);
  return more;
};

/** Takes what has become due without an event. Gives whether events wait to be planned, or more is due. */
export const planDue = async (deps: Deps): Promise<boolean> => {
  let more = false;
  for (const stage of timedStages) more = (await stage(deps)) || more;
  return more;
};
