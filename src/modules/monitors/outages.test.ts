import { describe, expect, it } from "bun:test";
import { sql } from "drizzle-orm";
import { processDialect } from "../../core/config";
import type { Statement } from "../../db/database";
import { madeBy, viewerOf } from "../../db/owner";
import { outages } from "../../db/schema";
import { checkError } from "../../shared/check-error";
import { MINUTE, SECOND } from "../../shared/limits";
import { createTestApp } from "../../testing/app";
import { START } from "../../testing/clock";
import { failAfter, withAtomically } from "../../testing/db/writes";
import { finishChecks, readState } from "../../testing/fixtures/engine";
import { addMonitor, recordBatch, recordOnly } from "../../testing/fixtures/monitors";
import { readOutageRows } from "../../testing/fixtures/outages";
import { serveStatus } from "../../testing/servers/targets";
import { readWindows } from "../alerting/outages/windows";
import { report } from "../alerting/report";
import { deleteMonitor, setActive } from "./change";
import { recordResults } from "./engine/record";
import { findMonitor } from "./service";

const REFUSED = checkError("refused");
const TIMEOUT = checkError("timeout", { seconds: 20 });

const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  const id = await addMonitor(app, bob, { url: "https://shop.example/" });
  /** One check a minute: u is up, r is refused, t is a timeout, P pauses and R resumes. */
  const play = async (steps: string) => {
    for (const step of steps) {
      await app.clock.advance(MINUTE);
      const error = step === "r" ? REFUSED : step === "t" ? TIMEOUT : null;
      if (step === "P" || step === "R")
        await setActive(app.deps, await findMonitor(app.deps, viewerOf(madeBy(bob)), id), step === "R");
      else await recordOnly(app, id, [{ at: app.clock.now(), up: error === null, error }]);
    }
    return (await readOutageRows(app, id)).map(({ startedAt, endedAt, errorCode, lastErrorCode, checksFailed }) => {
      const minute = (time: number | null) => (time === null ? "" : (time - START) / MINUTE);
      return `${minute(startedAt)}-${minute(endedAt)} ${errorCode} ${lastErrorCode} ${checksFailed}`;
    });
  };
  return { app, alice, bob, id, play };
};

describe("the outages of a monitor", () => {
  const cases: [string, string, string[]][] = [
    ["it is up", "uuu", []],
    ["it goes down at its first check", "r", ["1- refused refused 1"]],
    ["it stays down with another error", "urrt", ["2- refused timeout 3"]],
    ["it recovers", "rtu", ["1-3 refused timeout 2"]],
    ["it flaps", "urutuu", ["2-3 refused refused 1", "4-5 timeout timeout 1"]],
    ["it is paused while down", "urrP", ["2-4 refused refused 2"]],
    ["it is resumed and up", "urPRu", ["2-3 refused refused 1"]],
    ["it is resumed and still down", "urPRtt", ["2-3 refused refused 1", "5- timeout timeout 2"]],
    ["it is checked while paused", "uPrrRu", []],
    ["it is paused twice", "rPPR", ["1-2 refused refused 1"]],
  ];
  it.each(cases)("follow from its checks: %s", async (_, steps, rows) => {
    const { play } = await setUp();
    expect(await play(steps)).toEqual(rows);
  });

  it("begin between the last good check and the first failed one, where a good one is known", async () => {
    const { app, play } = await setUp();
    await play("uurruPRrur");
    const rows = await app.db.select().from(outages).orderBy(outages.id);
    const minute = (time: number | null) => time && (time - START) / MINUTE;
    expect(
      rows.map(({ startedAfter, countedFrom, startedAt, detectedAt }) => [
        ...[startedAfter, countedFrom, startedAt].map(minute),
        detectedAt,
      ]),
    ).toEqual([
      [2, 2.5, 3, null],
      [5, 7.5, 8, null],
      [9, 9.5, 10, null],
    ]);
  });

  it("count as down time from the middle between these checks, half an interval back at most", async () => {
    const { app, id } = await setUp();
    await recordOnly(app, id, [{ at: START }, { at: START + 30 * SECOND, up: false, error: REFUSED }]);
    await recordOnly(app, id, [{ at: START + MINUTE }]);
    app.clock.set(START + MINUTE);
    const read = async () => (await readWindows(app.deps, "monitor", id))["24h"];
    expect(await read()).toMatchObject({ watched_seconds: 60, down_seconds: 45 });
    await recordOnly(app, id, [{ at: START + 59 * MINUTE, up: false, error: REFUSED }]);
    app.clock.set(START + 60 * MINUTE);
    expect(await read()).toMatchObject({ watched_seconds: 3600, down_seconds: 45 + 90 });
    // The end of a long one is found as late as its start.
    await recordOnly(app, id, [{ at: START + 70 * MINUTE }]);
    app.clock.set(START + 70 * MINUTE);
    expect(await read()).toMatchObject({ watched_seconds: 4200, down_seconds: 45 + 11 * 60 });
  });

  it("have no known good check before where a pause ended the outage before, or no check was made", async () => {
    const { app, play } = await setUp();
    await play("rPRr");
    const rows = await app.db.select().from(outages).orderBy(outages.id);
    expect(rows.flatMap(({ startedAfter, countedFrom }) => [startedAfter, countedFrom])).toEqual(Array(4).fill(null));
  });

  it("hold the address of the last failed check that has one", async () => {
    const { app, id } = await setUp();
    const addressAfter = async (at: number, address?: string) => {
      await recordOnly(app, id, [{ at, up: false, error: REFUSED, address }]);
      const [row] = await app.db.select().from(outages);
      return row?.address;
    };
    expect(await addressAfter(START)).toBeNull();
    expect(await addressAfter(START + MINUTE, "203.0.113.7")).toBe("203.0.113.7");
    expect(await addressAfter(START + 2 * MINUTE, "203.0.113.8")).toBe("203.0.113.8");
    expect(await addressAfter(START + 3 * MINUTE)).toBe("203.0.113.8");
  });

  it("hold the phases of the check that they began with, or none", async () => {
    const { app, bob, id, play } = await setUp();
    const read = async () => {
      const { body } = await app.as(bob).get("/api/outages");
      return body.outages.map(({ kind, facts }) => [kind, facts]);
    };
    const phases = { dns: 12.34, connect: 31, tls: 80, firstByte: 9800.06, download: 0 };
    const presented = { dns: 12.3, connect: 31, tls: 80, first_byte: 9800.1, download: 0 };
    const later = { ...phases, dns: 1 };
    await recordOnly(app, id, [{ at: START, up: false, error: TIMEOUT, phases }]);
    await recordOnly(app, id, [{ at: START + 1, up: false, error: TIMEOUT, phases: later }]);
    expect(await read()).toEqual([["down", { phases: presented }]]);
    const slow = { up: true, slow: true };
    await recordOnly(app, id, [
      { at: START + 2, ...slow, phases: later },
      { at: START + 3, ...slow },
      { at: START + 4, ...slow, phases },
      { at: START + 5, ...slow, phases: later },
    ]);
    await play("r");
    expect(await read()).toEqual([
      ["down", null],
      ["slow", { phases: presented }],
      ["down", { phases: presented }],
    ]);
  });

  it("tell where the time of a check of the schedule went", async () => {
    const { app, alice } = await setUp();
    const client = app.as(alice);
    const { url } = serveStatus(503);
    const target = await addMonitor(app, alice, { url });
    await finishChecks(app);
    const [outage] = (await client.get(`/api/outages?target=monitor:${target}`)).body.outages;
    const took = expect.any(Number);
    const phases = { dns: took, connect: took, tls: 0, first_byte: took, download: took };
    expect(outage).toMatchObject({ kind: "down", error_code: "status", facts: { phases } });
    const { body } = await client.get(`/api/outages/${outage?.id}`);
    expect(body.outage.facts).toEqual(outage?.facts as never);
  });

  it("hold the parameters of the first error", async () => {
    const { app, play } = await setUp();
    await play("tr");
    const [row] = await app.db.select().from(outages);
    expect([row?.errorDetail, row?.lastErrorCode]).toEqual([{ seconds: 20 }, "refused"]);
  });

  it("stay open when its config changes", async () => {
    const { app, bob, id, play } = await setUp();
    await play("r");
    const edit = { name: "shop", url: "https://shop.example/other", interval: 60 };
    expect((await app.as(bob).put(`/api/monitors/${id}`, edit)).status).toBe(200);
    expect(await play("r")).toEqual(["1- refused refused 2"]);
  });

  it("end at their start when the clock was set back", async () => {
    const { app, id, play } = await setUp();
    await play("r");
    await recordOnly(app, id, [{ at: START - MINUTE }]);
    expect(await play("")).toEqual(["1-1 refused refused 1"]);
  });

  it("count a result once that is written twice", async () => {
    const { app, id, play } = await setUp();
    const [first, second] = [START + MINUTE, START + 2 * MINUTE];
    for (const at of [first, first, second, second]) await recordOnly(app, id, [{ at, up: false, error: REFUSED }]);
    for (let time = 0; time < 2; time++) await recordOnly(app, id, [{ at: START + 3 * MINUTE }]);
    expect(await play("")).toEqual(["1-3 refused refused 2"]);
  });

  it("are deleted with the monitor, and with its owner", async () => {
    const { app, alice, bob, id, play } = await setUp();
    const other = await addMonitor(app, bob, { url: "https://shop.example/" });
    await play("rur");
    await recordOnly(app, other, [{ at: START, up: false, error: REFUSED }]);
    expect((await app.as(bob).delete(`/api/monitors/${id}`)).status).toBe(200);
    expect((await app.db.select().from(outages)).map(({ targetId }) => targetId)).toEqual([other]);
    expect((await app.as(alice).delete(`/api/users/${bob.id}`)).status).toBe(200);
    expect(await app.db.$count(outages)).toBe(0);
  });
});

describe("an outage and its change", () => {
  it("are both written or neither, whichever statement fails", async () => {
    const { app, id, play } = await setUp();
    await play("u");
    const result = { monitorId: id, revision: 0, responseTime: null, statusCode: null, certExpiresAt: null };
    const down = { ...result, checkedAt: START + 5 * MINUTE, up: false, error: REFUSED };
    await app.db.atomically(() => [sql`update monitor_states set claimed_by = ${app.deps.instance}`]);
    const write = () => recordResults(app.deps, app.deps.instance, [down]);
    for (let statements = 0; statements < 5; statements++) {
      const mend = failAfter(app.db, statements);
      await write().then(
        () => expect.unreachable(),
        () => {},
      );
      mend();
      expect([(await readState(app, id)).status, await app.db.$count(outages)]).toEqual(["up", 0]);
    }
    await write();
    expect([(await readState(app, id)).status, await app.db.$count(outages)]).toEqual(["down", 1]);
  });

  it("are written once by two instances that record the same checks", async () => {
    const { app, id } = await setUp();
    const second = await createTestApp({ db: app.db, clock: app.clock });
    for (let round = 1; round <= 10; round++) {
      const found = [{ monitorId: id, at: START + round * MINUTE, up: round % 3 === 0, error: REFUSED }];
      await Promise.all([recordBatch(app, found), recordBatch(second, found)]);
      const open = (await readOutageRows(app, id)).filter(({ endedAt }) => endedAt === null);
      expect(open.length).toBe(round % 3 === 0 ? 0 : 1);
    }
    expect((await readOutageRows(app, id)).map(({ checksFailed }) => checksFailed)).toEqual([2, 2, 2, 1]);
  });

  it("are consistent when a monitor is paused and deleted while its checks are recorded", async () => {
    const { app, bob } = await setUp();
    const viewer = viewerOf(madeBy(bob));
    for (let round = 0; round < 10; round++) {
      const [paused, gone] = [
        await addMonitor(app, bob, { url: "https://a.example/" }),
        await addMonitor(app, bob, { url: "https://b.example/" }),
      ];
      const rows = await Promise.all([paused, gone].map((monitor) => findMonitor(app.deps, viewer, monitor)));
      const found = [paused, gone].map((monitorId) => ({ monitorId, at: START + round, up: false, error: REFUSED }));
      await Promise.all([
        recordBatch(app, found),
        setActive(app.deps, rows[0]!, false),
        deleteMonitor(app.deps, rows[1]!),
      ]);
      expect((await readOutageRows(app, paused)).filter(({ endedAt }) => endedAt === null)).toEqual([]);
      expect(await readOutageRows(app, gone)).toEqual([]);
    }
  });
});

it.if(processDialect === "sqlite")("closing outages finds each by an index", async () => {
  const { app, id } = await setUp();
  const statements: Statement[] = [];
  const db = withAtomically(app.db, async (build) => {
    statements.push(...build(app.db));
    return [];
  });
  await report({ ...app.deps, db }, "monitor", [{ targetId: id, kind: "down", at: START, opens: false }]);
  const rows = await Promise.all(
    statements.map((statement) => app.db.rows<{ detail: string }>(sql`explain query plan ${statement}`)),
  );
  const plans = rows.flat().map(({ detail }) => detail);
  expect(plans).toContain(
    "SEARCH o USING INDEX outages_open_unique (target_type=? AND target_id=? AND kind=? AND subject=?)",
  );
  expect(plans).not.toContain("SCAN outages");
});
