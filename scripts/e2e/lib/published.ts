import { join } from "node:path";
import { monitorStates } from "../../../src/db/schema";
import { type Result, recordResults } from "../../../src/modules/monitors/engine/record";
import { checkError } from "../../../src/shared/check-error";
import { DAY, HOUR } from "../../../src/shared/limits";
import type { Client } from "../../../src/testing/client";
import { machine, reportOf, sampleAt } from "../../../src/testing/fixtures/agents";
import { freePort } from "../../smoke/lib/free-port";
import { installConsole, joinAs, monitorOf, startConsole } from "../../smoke/lib/hub";
import { startNginx } from "../../smoke/lib/nginx";
import { until } from "../../smoke/lib/until";
import { moveToBlocks, openStore } from "./history";

const NAMES = ["Payments API", "Website", "Search", "Sign-in", "Newsletter"] as const;
type Name = (typeof NAMES)[number];

/** Failed checks of a day's 24, by the age of the day. */
const failures: Partial<Record<Name, (daysAgo: number) => number>> = {
  "Payments API": (ago) => (ago === 41 ? 1 : 0),
  Website: (ago) => (ago === 12 ? 7 : ago === 13 ? 1 : 0),
  Search: (ago) => (ago < 2 ? 4 : ago % 29 === 3 ? 1 : 0),
  "Sign-in": (ago) => (ago === 60 ? 24 : 0),
};

/**
 * Writes three months of hourly checks, as the engine would. The hub must not be running. Returns the midnight at which they
 * end.
 */
const writePast = async (dataDir: string, ids: Record<string, number>): Promise<number> => {
  const store = await openStore(dataDir);
  const { db } = store;
  const revisions = new Map((await db.select().from(monitorStates)).map((row) => [row.monitorId, row.revision]));
  const midnight = Math.floor(Date.now() / DAY) * DAY;
  const resultsAt = (ago: number, hour: number) =>
    Object.entries(failures).flatMap(([name, failed]): Result[] => {
      const monitorId = ids[name] ?? 0;
      // The sign-in service was created later than the others.
      if (name === "Sign-in" && ago > 64) return [];
      const up = hour >= failed(ago);
      return [
        {
          monitorId,
          revision: revisions.get(monitorId) ?? 0,
          checkedAt: midnight - ago * DAY + hour * HOUR,
          up,
          responseTime: up ? 80 + hour : null,
          statusCode: up ? 200 : 503,
          error: up ? null : checkError("status", { actual: 503, expected: "200" }),
          certExpiresAt: null,
        },
      ];
    });
  for (let ago = 95; ago > 0; ago--)
    await db.transact(async (tx) => {
      for (let hour = 0; hour < 24; hour++) await recordResults({ ...store, db: tx }, null, resultsAt(ago, hour));
    });
  await moveToBlocks(db, midnight);
  await db.close();
  return midnight;
};

/** Enrolls a machine and reports once; without samples it only enrolls. */
const addAgent = async (alice: Client, anybody: Client, name: string, reports: boolean): Promise<number> => {
  const { token } = (await alice.post("/api/agents/token/generate")).body;
  const identity = machine({ machine_id: name, hostname: `${name.toLowerCase().replaceAll(" ", "-")}.internal`, name });
  const { agent, key } = (await anybody.post("/api/agents/register", { token, ...identity })).body;
  if (reports) {
    const sample = sampleAt(Date.now(), { cpu: 61.5, network: { rx: 1530, tx: 210 } });
    await anybody.post("/api/agents/report", reportOf([sample], { hostname: identity.hostname }), {
      authorization: `Bearer ${key}`,
    });
  }
  return agent.id;
};

/**
 * A hub whose administrator publishes a page: monitors that are up, recovered, down, new and paused without checks, and two
 * machines. `publish` selects the sections.
 */
export const startPublished = async () => {
  const installation = installConsole();
  const port = freePort();
  const answering = () =>
    startNginx(
      port,
      `server { listen 127.0.0.1:${port}; location / { return 200 fine; } location /search { return 503; } }`,
    );
  let target = await answering();
  const first = await startConsole(installation);
  const joined = await joinAs(first, "alice");
  const ids: Record<string, number> = {};
  for (const name of NAMES) {
    const address = `http://localhost:${port}/${name.toLowerCase()}`.replaceAll(" ", "-");
    const active = name !== "Newsletter";
    const { body } = await joined.post("/api/monitors", { ...monitorOf(address, name), retries: 0, active });
    ids[name] = body.monitor.id;
  }
  await first.stop();
  const midnight = await writePast(join(installation.folder, "data"), ids);

  const running = await startConsole(installation, { LINK_VIDEO: "" });
  const { signedIn } = joined;
  const alice = running.as(signedIn.token);
  /** A monitor can be checked manually once a second. */
  const check = (name: string) =>
    until(`${name} is checked`, async () => (await alice.post(`/api/monitors/${ids[name]}/check`)).status !== 429);
  const checkAll = async () => {
    for (const name of Object.keys(failures)) await check(name);
  };
  // A real failure and a real recovery.
  await target.stop();
  await check("Website");
  target = await answering();
  await checkAll();
  await until("only one is down", async () => (await alice.get("/api/monitors")).body.counts.down === 1);
  const agents = [
    await addAgent(alice, running.as(), "Database", true),
    await addAgent(alice, running.as(), "Backup", false),
  ];
  const publish = (names: readonly Name[], more: object = {}) =>
    alice.post("/api/status/config", {
      title: "Acme",
      description: "How our services are doing, checked every minute.",
      logoUrl: "",
      customCss: "",
      agents,
      monitors: names.map((name) => ids[name]),
      ...more,
    });
  return {
    origin: running.origin,
    anybody: running.as(),
    alice,
    signedIn,
    ids,
    /** Days since the history was written: 0 unless the run crosses midnight UTC. */
    daysSince: () => Math.floor((Date.now() - midnight) / DAY),
    publish,
    checkAll,
    stop: async () => {
      await running.stop();
      await target.stop();
      installation.remove();
    },
  };
};

export type PublishedConsole = Awaited<ReturnType<typeof startPublished>>;
/** The selections that produce each of the three overall states. */
export const SHOWN = {
  operational: ["Payments API", "Website", "Sign-in", "Newsletter"],
  partial: ["Payments API", "Website", "Search", "Sign-in", "Newsletter"],
  outage: ["Search"],
} as const satisfies Record<string, readonly Name[]>;
