import { describe, expect, it } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { processDialect } from "../../../../core/config";
import { madeBy, viewerOf } from "../../../../db/owner";
import { monitorStates } from "../../../../db/schema";
import { checkError } from "../../../../shared/check-error";
import { createTestApp } from "../../../../testing/app";
import { START } from "../../../../testing/clock";
import { addMonitor, inputWith } from "../../../../testing/fixtures/monitors";
import { fc } from "../../../../testing/property";
import { repetitions } from "../../../../testing/repetitions";
import { deleteMonitor, setActive, updateMonitor } from "../../change";
import { findMonitor } from "../../service";
import type { Result } from "../record";
import type { Claim } from "./claims";
import { createMemoryClaims } from "./memory-claims";
import { createStoredClaims } from "./stored-claims";

const URL = "https://shop.example/";
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

const setUp = async (kind: "memory" | "stored" = "memory") => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const running = new Map<number, Claim>();
  const create = () =>
    kind === "memory"
      ? createMemoryClaims({ ...app.deps, isInFlight: (id) => running.has(id) })
      : createStoredClaims({ ...app.deps, known: () => [...running.keys()] });
  let claims = create();
  const viewer = viewerOf(madeBy(bob));
  const resultOf = ({ monitorId, revision }: Claim, up: boolean): Result => ({
    monitorId,
    revision,
    previous: "up",
    checkedAt: app.clock.now(),
    up,
    responseTime: 10,
    statusCode: 200,
    error: up ? null : checkError("refused"),
    certExpiresAt: null,
  });
  return {
    app,
    add: (interval = 60) => addMonitor(app, bob, { url: URL, interval }),
    find: (id: number) => findMonitor(app.deps, viewer, id),
    /** Claims what is due, without waiting for the checks to end. */
    claim: async (limit = 1000): Promise<Claim[]> => {
      await claims.beat();
      await claims.followClock();
      const found = await claims.writeAndClaim([], limit);
      for (const claim of found) running.set(claim.monitorId, claim);
      return found;
    },
    claimOne: async (id: number): Promise<Claim> => {
      const claim = await claims.claimOne(id);
      running.set(id, claim);
      return claim;
    },
    /** Ends and writes the checks that are running. */
    finish: async (up = true): Promise<void> => {
      const results = [...running.values()].map((claim) => resultOf(claim, up));
      await claims.writeAndClaim(results, 0);
      for (const { monitorId } of results) running.delete(monitorId);
    },
    /** Claims all monitors without a check in flight. */
    claimIdle: async (): Promise<Claim[]> => {
      const ids = [1, 2, 3, 4, 5, 6].filter((id) => !running.has(id));
      const found = await claims.claimIdle(ids);
      for (const claim of found) running.set(claim.monitorId, claim);
      return found;
    },
    release: async (id: number, isSoon = false): Promise<void> => {
      running.delete(id);
      await claims.release([id], isSoon);
    },
    /** A new process on the same database. */
    restart: (): void => {
      running.clear();
      claims = create();
    },
    running,
  };
};

type World = Awaited<ReturnType<typeof setUp>>;
const idsOf = (claims: Claim[]) => claims.map(({ monitorId }) => monitorId);

// PostgreSQL has stored claims.
const isUsed = processDialect === "sqlite";

describe.if(isUsed)("claims in memory", () => {
  it("read the database once, and again only for monitors that were changed", async () => {
    const { app, add, claim, finish } = await setUp();
    await add(3600);
    await claim();
    await finish();
    let reads = 0;
    const { select } = app.db;
    Object.assign(app.deps.db, {
      select: (...given: Parameters<typeof select>) => {
        reads++;
        return select.apply(app.db, given);
      },
    });
    for (let second = 0; second < 50; second++) {
      app.clock.set(app.clock.now() + SECOND);
      expect(await claim()).toEqual([]);
    }
    expect(reads).toBe(0);
    app.deps.changedMonitors.add(1);
    await claim();
    expect(reads).toBe(1);
  });

  it("claim each of many monitors once", async () => {
    const { app, add, claim } = await setUp();
    const first = await add();
    const last = first + 10_000;
    const ids = sql`with recursive ids(n) as (select ${first} + 1 union all select n + 1 from ids where n < ${last})`;
    await app.db.atomically(() => [
      sql`${ids} insert into monitors (id, user_id, team_id, name, name_key, kind, target, config, payload, interval, timeout, retries, active, created_at, updated_at)
        select n, user_id, team_id, name || n, name_key || n, kind, target, config, payload, interval, timeout, retries, active, created_at, updated_at
        from monitors, ids where id = ${first}`,
      sql`${ids} insert into monitor_states (monitor_id, next_check_at, revision, status)
        select n, next_check_at, revision, status from monitor_states, ids where monitor_id = ${first}`,
    ]);
    const claimed = [...(await claim(6000)), ...(await claim(6000))];
    expect(new Set(idsOf(claimed)).size).toBe(10_001);
    expect(claimed).toHaveLength(10_001);
  });

  it("take the most overdue monitors first, up to the limit, and each once", async () => {
    const { app, add, claim } = await setUp();
    const ids: number[] = [];
    for (let count = 0; count < 5; count++) {
      ids.push(await add());
      await app.clock.advance(100);
    }
    expect(idsOf(await claim(2))).toEqual(ids.slice(0, 2));
    expect(idsOf(await claim(2))).toEqual(ids.slice(2, 4));
    expect(idsOf(await claim(2))).toEqual(ids.slice(4));
    expect(await claim(2)).toEqual([]);
  });

  it("do not claim a monitor while its check runs, and claim it once that has ended", async () => {
    const { app, add, claim, finish } = await setUp();
    const id = await add();
    await claim();
    app.clock.set(START + 10 * MINUTE);
    expect(await claim()).toEqual([]);
    await finish();
    expect(idsOf(await claim())).toEqual([id]);
  });

  it("follow a jump of the clock by years in both directions", async () => {
    const { app, add, claim, finish } = await setUp();
    const id = await add();
    for (const now of [START, START + 40_000 * 24 * HOUR, START - 24 * HOUR, START]) {
      app.clock.set(now);
      await claim();
      await finish();
      app.clock.set(now + 1.2 * MINUTE + 2 * SECOND);
      expect(idsOf(await claim())).toEqual([id]);
      await finish();
    }
  });

  it("of a new process continue after the last checks, and take at once what is overdue", async () => {
    const { app, add, claim, finish, restart } = await setUp();
    const [first, second] = [await add(), await add(3600)];
    await app.clock.advance(1);
    const [claimed] = await claim();
    await finish();
    restart();
    expect(await claim()).toEqual([]);
    app.clock.set((claimed?.nextCheckAt ?? 0) + 10 * MINUTE);
    restart();
    const again = await claim();
    expect(idsOf(again)).toEqual([first as number]);
    expect(again[0]?.dueAt).toBe(claimed?.nextCheckAt as number);
    expect(second).toBeGreaterThan(0);
  });

  it("refuse a manual check of a monitor that does not exist", async () => {
    const { claimOne } = await setUp();
    expect(claimOne(99)).rejects.toMatchObject({ code: "not_found" });
  });
});

/** One step of a world, by indexes of its monitors. */
const STEPS = {
  wait: async ({ app }: World, amount: number) => app.clock.set(app.clock.now() + amount * 700),
  waitLong: async ({ app }: World, amount: number) => app.clock.set(app.clock.now() + amount * 40 * SECOND),
  setBack: async ({ app, claim }: World, amount: number) => {
    app.clock.set(app.clock.now() - amount * 90 * SECOND);
    return claim(0);
  },
  claim: async ({ claim }: World, amount: number) => claim(1 + (amount % 5)),
  finish: async ({ finish }: World) => finish(),
  fail: async ({ finish }: World) => finish(false),
  release: async ({ running, release }: World, amount: number) => {
    const id = [...running.keys()].sort((a, b) => a - b)[amount % Math.max(1, running.size)];
    if (id !== undefined) await release(id, amount % 2 === 0);
  },
  manual: async ({ app, running, claimOne }: World, amount: number) => {
    const id = 1 + (amount % 6);
    if (running.has(id) || (await app.db.$count(monitorStates, eq(monitorStates.monitorId, id))) === 0) return null;
    const { monitorId, dueAt, nextCheckAt } = await claimOne(id);
    return [monitorId, dueAt, nextCheckAt];
  },
  claimIdle: async ({ claimIdle }: World) => claimIdle(),
  add: async ({ add, app }: World, amount: number) =>
    (await app.db.$count(monitorStates)) < 6 ? add([60, 61, 300, 3600][amount % 4]) : null,
  change: async ({ app, find }: World, amount: number) => {
    const row = await find(1 + (amount % 6)).catch(() => null);
    const quickRecheck = amount % 5 > 0;
    const input = inputWith({ url: URL, interval: [60, 90, 300][amount % 3], name: `name ${amount}`, quickRecheck });
    return row && updateMonitor(app.deps, row, { ...input, active: row.monitor.active });
  },
  pauseOrResume: async ({ app, find, running }: World, amount: number) => {
    const row = await find(1 + (amount % 6)).catch(() => null);
    // A check of the old revision is stale.
    if (row) running.delete(row.monitor.id);
    return row && setActive(app.deps, row, !row.monitor.active);
  },
  remove: async ({ app, find, running }: World, amount: number) => {
    const row = amount % 4 === 0 ? await find(1 + (amount % 6)).catch(() => null) : null;
    if (row) running.delete(row.monitor.id);
    return row && deleteMonitor(app.deps, row);
  },
};

type Step = [name: keyof typeof STEPS, amount: number];

/** Takes the same steps with claims in memory and with stored claims, and compares what each step returns. */
const compare = async (steps: readonly Step[]): Promise<void> => {
  const worlds = [await setUp("memory"), await setUp("stored")];
  const begin: Step[] = [
    ["add", 1],
    ["add", 2],
    ["claim", 4],
  ];
  for (const [name, amount] of [...begin, ...steps]) {
    const [inMemory, stored] = await Promise.all(worlds.map((world) => STEPS[name](world, amount)));
    // The stored claims of one transaction have no order.
    const sorted = (found: unknown) =>
      JSON.stringify(Array.isArray(found) ? found.map((claim) => JSON.stringify(claim)).sort() : found);
    expect([name, amount, sorted(inMemory)]).toEqual([name, amount, sorted(stored)]);
  }
};

describe.if(isUsed)("claims in memory equal stored claims", () => {
  it("for a monitor that was added while the clock was ahead, which is due within an interval of the right time", () =>
    compare([
      ["waitLong", 8],
      ["waitLong", 1],
      ["add", 1],
      ["setBack", 1],
      ["claimIdle", 1],
    ]));

  it("for a monitor that was paused before the clock was set back and is due at once when it is resumed", () =>
    compare([
      ["finish", 1],
      ["pauseOrResume", 1],
      ["setBack", 1],
      ["pauseOrResume", 1],
      ["wait", 3],
      ["claim", 1],
    ]));

  it("for a monitor that was checked off schedule while the clock was ahead", () =>
    compare([
      ["finish", 1],
      ["waitLong", 3],
      ["claimIdle", 1],
      ["finish", 1],
      ["setBack", 1],
      ["wait", 4],
      ["claimIdle", 1],
    ]));

  it("for a monitor that fails, and is checked again soon for ten minutes", () =>
    compare(
      Array.from({ length: 450 }, (_, step): Step => [(["fail", "wait", "claim"] as const)[step % 3] ?? "fail", 7]),
    ));

  it("for any sequence of changes, checks and clock jumps", async () => {
    const step = fc.tuple(
      fc.constantFrom(...(Object.keys(STEPS) as (keyof typeof STEPS)[])),
      fc.integer({ min: 1, max: 60 }),
    );
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), compare), {
      numRuns: repetitions(15, 300),
    });
  });
});
