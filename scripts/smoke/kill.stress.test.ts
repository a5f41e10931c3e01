import { Database } from "bun:sqlite";
import { afterAll, expect, it } from "bun:test";
import { join } from "node:path";
import type { Client } from "../../src/testing/client";
import { repetitions } from "../../src/testing/repetitions";
import { auditOutages } from "../bench/lib/audit";
import { auditChecks, queryOf } from "../bench/lib/stored-checks";
import { installConsole, joinAs, monitorOf, signIn, startConsole } from "./lib/hub";
import { until } from "./lib/until";

const installation = installConsole();
let requests = 0;
/** Every second request fails. */
const quick = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: () => new Response("", { status: requests++ % 2 === 0 ? 200 : 503 }),
});

afterAll(async () => {
  await quick.stop(true);
  installation.remove();
});

const CRASHES = repetitions(6, 15);
const WRITERS = 4;

/** Creates monitors one after another until a request fails, and adds the names of the created ones to `answered`. */
const writeUntilCut = async (client: Client, prefix: string, answered: string[]): Promise<void> => {
  for (let index = 0; ; index++) {
    const name = `${prefix}-${index}`;
    const status = await client.post("/api/monitors", { ...monitorOf(quick.url.href, name), retries: 0 }).then(
      (answer) => answer.status,
      () => null,
    );
    if (status === null) return;
    expect(status).toBe(201);
    answered.push(name);
  }
};

/** The names of all monitors, which are more than one page has. */
const readNames = async (client: Client): Promise<string[]> => {
  const names: string[] = [];
  for (;;) {
    const { monitors } = (await client.get(`/api/monitors?history=0&sort=name&offset=${names.length}`)).body;
    if (monitors.length === 0) return names;
    names.push(...monitors.map(({ name }) => name));
  }
};

/** Whether checks, their sums and outages, which are written together, agree. */
const readFigures = async () => {
  const db = new Database(join(installation.folder, "data/wakeful.db"));
  try {
    const figure = (sql: string) => Object.values(db.query(sql).get() as Record<string, unknown>)[0];
    const { checks, losses } = await auditChecks(queryOf(db));
    return {
      integrity: figure("pragma integrity_check"),
      ...losses,
      ...(await auditOutages(queryOf(db), checks)),
      orphans: figure("select count(*) from monitors where id not in (select monitor_id from monitor_states)"),
    };
  } finally {
    db.close();
  }
};

it(`loses no answered write when it is killed ${CRASHES} times while writing`, async () => {
  const answered: string[] = [];
  for (let crash = 0; crash < CRASHES; crash++) {
    const running = await startConsole(installation);
    const alice = await (crash === 0 ? joinAs : signIn)(running, "alice");
    const wanted = answered.length + 2 + Math.random() * 40;
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      writeUntilCut(alice, `${crash}-${writer}`, answered),
    );
    await until("answered writes", async () => answered.length >= wanted);
    await running.kill();
    await Promise.all(writers);
    expect(await readFigures()).toEqual({
      integrity: "ok",
      checks_stored_twice: 0,
      hours_beside_checks: 0,
      days_beside_checks: 0,
      outages_lost: 0,
      outages_without_checks: 0,
      orphans: 0,
    });
  }
  const running = await startConsole(installation);
  const alice = await signIn(running, "alice");
  await until("an outage", async () => (await alice.get("/api/outages")).body.outages.length);
  const found = new Set(await readNames(alice));
  expect(answered.filter((name) => !found.has(name))).toEqual([]);
  expect(await running.stop()).toBe(0);
  console.log(`killed ${CRASHES} times over ${answered.length} answered writes`);
}, 300_000);
