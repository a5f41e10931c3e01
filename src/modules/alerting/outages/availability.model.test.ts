/** Availability compared with a model that counts each quarter of an hour of a history. */

import { describe, expect, it } from "bun:test";
import { and, eq, isNull } from "drizzle-orm";
import { madeBy } from "../../../db/owner";
import { agentStates, agents, hubGaps, lostPings, monitorPauses, monitorStates, outages } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import type { Interval } from "../../../lib/intervals";
import { DAY, MINUTE } from "../../../shared/limits";
import type { TargetType } from "../../../shared/notifications";
import { startOfDay } from "../../../shared/time-zone";
import { createTestApp, type TestApp } from "../../../testing/app";
import { inputWith } from "../../../testing/fixtures/monitors";
import type { TestUser } from "../../../testing/fixtures/people";
import { fc } from "../../../testing/property";
import { repetitions } from "../../../testing/repetitions";
import { insertMonitors } from "../../monitors/change";
import { type Availability, readAvailability } from "./availability";
import { DOWN_KIND } from "./times";

const SLOT = 15 * MINUTE;
/** After the change of clocks in autumn, and 430 days before. */
const NOW = Date.UTC(2026, 10, 2, 12);
const SLOTS = (430 * DAY) / SLOT;
const FIRST = NOW - SLOTS * SLOT;
const timeOf = (slot: number): number => FIRST + slot * SLOT;

/** Slots [from, to); `to` is null while it lasts. */
type Span = { from: number; to: number | null };

const slot = fc.oneof(fc.integer({ min: 0, max: SLOTS + 20 }), fc.integer({ min: SLOTS - 3000, max: SLOTS }));
const ended = fc.tuple(slot, fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 6000 })));
const spans = (maxLength: number) =>
  fc
    .uniqueArray(ended, { maxLength, selector: ([from]) => from })
    .map((list) => list.map(([from, length]): Span => ({ from, to: from + length })));
/** At most one lasts. */
const spansWithOpen = (maxLength: number) =>
  fc
    .tuple(spans(maxLength), fc.option(fc.integer({ min: 0, max: SLOTS - 1 }), { freq: 3 }))
    .map(([list, from]) => (from === null ? list : [...list.filter((one) => one.from !== from), { from, to: null }]));

const history = fc.record({
  type: fc.constantFrom<TargetType>("monitor", "monitor", "agent"),
  since: fc.option(slot, { freq: 8 }),
  pauses: spansWithOpen(4),
  lost: spans(3),
  outages: spansWithOpen(12),
});
type History = { type: TargetType; since: number | null; pauses: Span[]; lost: Span[]; outages: Span[] };

const zone = fc.constantFrom("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Shanghai", "UTC");
const month = fc.tuple(zone, fc.integer({ min: -14, max: 1 })).map(([name, back]): Interval => {
  const first = (offset: number) => startOfDay(name, Date.UTC(2026, 10 + back + offset, 1) / DAY);
  return { from: first(0), to: first(1) };
});
const anyInterval = fc
  .tuple(slot, fc.integer({ min: -50, max: 12_000 }))
  .map(([from, length]): Interval => ({ from: timeOf(from), to: timeOf(from + length) }));
const lately = fc.constantFrom(1, 7, 30, 90).map((days): Interval => ({ from: NOW - days * DAY, to: NOW }));

const KEPT = 365 * DAY;

/** Counts the slots of an interval up to now. */
const count = ({ type, ...one }: History, gaps: readonly Span[], { from, to }: Interval): Availability => {
  const within = (list: readonly Span[], at: number) => list.some((span) => span.from <= at && at < (span.to ?? SLOTS));
  const sum = { active: 0, watched: 0, down: 0, outages: 0 };
  const first = Math.ceil(Math.max((from - FIRST) / SLOT, (NOW - KEPT - FIRST) / SLOT, one.since ?? SLOTS));
  const last = Math.min((to - FIRST) / SLOT, SLOTS);
  for (let at = first; at < last; at++) {
    if (type === "monitor" && within(one.pauses, at)) continue;
    sum.active += SLOT;
    if (within(gaps, at) || (type === "monitor" && within(one.lost, at))) continue;
    sum.watched += SLOT;
    if (within(one.outages, at)) sum.down += SLOT;
  }
  if (first < last)
    sum.outages = one.outages.filter((span) => span.from < last && (span.to ?? SLOTS + 1) > first).length;
  return sum;
};

/** Stores histories under new ids, which are returned in their order. */
const storeAll = async (
  { db }: TestApp,
  owner: TestUser,
  histories: readonly History[],
  gaps: readonly Span[],
  firstId: number,
) => {
  const ids = histories.map((_, index) => firstId + index);
  const timesOf = ({ from, to }: Span) => ({ startedAt: timeOf(from), endedAt: to === null ? null : timeOf(to) });
  const rowsOf = <Row>(pick: (one: History, id: number) => readonly Row[]): Row[] =>
    histories.flatMap((one, index) => pick(one, ids[index] as number));
  const isMonitor = (one: History) => one.type === "monitor";
  await db.delete(hubGaps);
  if (gaps.length > 0)
    await db.insert(hubGaps).values(gaps.map((span) => ({ ...timesOf(span), reason: "hub_stopped" as const })));
  await db.transact(async (tx) => {
    const added = rowsOf((one, id) => (isMonitor(one) ? [{ ...inputWith({ url: "https://a.example/" }), id }] : []));
    if (added.length > 0) await insertMonitors(tx, added, { owner: madeBy(owner), now: FIRST });
    for (const [index, one] of histories.entries()) {
      const id = ids[index] as number;
      const since = one.since === null ? null : timeOf(one.since);
      if (isMonitor(one))
        await tx.update(monitorStates).set({ firstCheckedAt: since }).where(eq(monitorStates.monitorId, id));
      else {
        const facts = { hostname: "a", ipAddresses: [], os: "", version: "" };
        await tx
          .insert(agents)
          .values({ id, ...madeBy(owner), enrollment: `${id}`, name: "a", ...facts, createdAt: FIRST });
        await tx
          .insert(agentStates)
          .values({ agentId: id, keyHash: `${id}`, status: "active", firstReportedAt: since });
      }
    }
    const pauses = rowsOf((one, monitorId) =>
      isMonitor(one) ? one.pauses.map((span) => ({ monitorId, ...timesOf(span) })) : [],
    );
    if (pauses.length > 0) await tx.insert(monitorPauses).values(pauses);
    const lost = rowsOf((one, monitorId) =>
      isMonitor(one)
        ? one.lost.map(({ from, to }) => ({ monitorId, startedAt: timeOf(from), endedAt: timeOf(to ?? from) }))
        : [],
    );
    if (lost.length > 0) await tx.insert(lostPings).values(lost);
    const down = rowsOf((one, targetId) =>
      one.outages.map((span) => ({
        ...{ ...madeBy(owner), targetType: one.type, targetId, kind: DOWN_KIND[one.type] },
        ...timesOf(span),
      })),
    );
    if (down.length > 0) await tx.insert(outages).values(down);
  });
  return ids;
};

const WORLDS = repetitions(25, 60);
const TARGETS = 40;

describe("the availability of a target", () => {
  it(`in ${WORLDS * TARGETS} random histories and intervals is that of a model that counts each quarter of an hour`, async () => {
    const app = await createTestApp();
    const { bob } = await app.people();
    app.clock.set(NOW);
    let nextId = 1000;
    const world = fc.record({
      gaps: spansWithOpen(6),
      histories: fc.array(history, { minLength: TARGETS, maxLength: TARGETS }),
      intervals: fc.tuple(lately, month, month, anyInterval, anyInterval),
      only: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(world, async ({ gaps, histories, intervals, only }) => {
        const ids = await storeAll(app, bob, histories, gaps, nextId);
        nextId += ids.length;
        const compare = async (current: readonly History[], wanted: readonly Interval[]) => {
          for (const type of ["monitor", "agent"] as const) {
            const found = await readAvailability(app.deps, { type, ids }, wanted);
            for (const [index, one] of current.entries()) {
              if (one.type !== type) continue;
              expect(found.get(ids[index] as number)).toEqual(wanted.map((interval) => count(one, gaps, interval)));
            }
          }
        };
        // Recent intervals alone are read from memory.
        if (only) await compare(histories, intervals.slice(0, 1));
        await compare(histories, intervals);
        await compare(histories, intervals.slice(0, 1));
        // Times in memory follow outages that end and begin.
        const isTheirs = and(isOneOf(outages.targetId, ids), isNull(outages.endedAt));
        await app.db.update(outages).set({ endedAt: NOW }).where(isTheirs);
        const begun = histories.map((one) => ({
          ...one,
          outages: [...one.outages.map((span) => ({ ...span, to: span.to ?? SLOTS })), { from: SLOTS - 1, to: null }],
        }));
        const values = begun.map(({ type }, index) => ({
          ...{ ...madeBy(bob), targetType: type, targetId: ids[index] as number, kind: DOWN_KIND[type] },
          startedAt: timeOf(SLOTS - 1),
        }));
        await app.db.insert(outages).values(values);
        await compare(begun, intervals.slice(0, 1));
      }),
      { numRuns: WORLDS, endOnFailure: true },
    );
  });
});
