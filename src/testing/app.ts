import { onTestFinished } from "bun:test";
import { createWatching } from "../cluster/watching";
import { readConfig } from "../core/config";
import { createCostlyCalls } from "../core/costly-calls";
import type { Deps } from "../core/deps";
import { createMeters } from "../core/deps";
import { createLog } from "../core/log";
import { createTrials } from "../core/trials";
import type { Database } from "../db/database";
import { createSlidingWindows } from "../lib/sliding-window";
import { createLive } from "../modules/live/live";
import { createConnectivity } from "../modules/monitors/engine/connectivity";
import { createEngine } from "../modules/monitors/engine/engine";
import type { Witnessing } from "../modules/monitors/engine/own-network/suspicion";
import { createOutbound, type Outbound } from "../probe/outbound";
import { type App, createApp } from "../server/app";
import { createClient } from "./client";
import { createTestClock, type TestClock } from "./clock";
import { openTestDatabase } from "./db/database";
import { addUser, type TestUser, useCheapHashes } from "./fixtures/people";

// Elysia asks for a garbage collection whenever it compiles an app, which takes longer than the rest of a short test.
const { gc } = Bun;
Bun.gc = (force) => (force ? gc(force) : 0);

type Options = {
  /** Environment variables. */
  env?: Record<string, string>;
  clock?: TestClock;
  /** The database of another app, to run two instances on it. */
  db?: Database;
  /** Makes the requests of checks and deliveries. */
  outbound?: Outbound;
  /** What tells the hub whether its own network works; without it, it is taken to work. */
  witnesses?: Witnessing;
};

/** Creates a hub without a port and timers, on an empty database that is deleted after the test. */
export const createTestApp = async ({ env = {}, clock = createTestClock(), db, outbound, witnesses }: Options = {}) => {
  useCheapHashes();
  const database = db ?? (await openTestDatabase());
  const config = readConfig({ NODE_ENV: "test", ALERT_FLAP_CHANGES: "0", ALERT_GROUP_SECONDS: "0", ...env });
  const logged: string[] = [];
  const log = createLog("debug", false, (line) => logged.push(line));
  const instance = crypto.randomUUID().slice(0, 8);
  const deps: Deps = {
    config,
    db: database,
    clock,
    log,
    meters: createMeters(),
    outbound: outbound ?? createOutbound({ clock, log }),
    live: createLive({ clock, instance }),
    watching: createWatching({ db: database, clock, log, instance }),
    instance,
    sentMessages: createSlidingWindows(clock),
    costlyCalls: createCostlyCalls(),
    trials: createTrials(clock),
    changedMonitors: new Set(),
    jwtSecret: "a secret of the tests, long enough to sign with",
    installationId: "the installation of the tests",
  };
  const connectivity = createConnectivity(config.connectivityTarget, deps, witnesses);
  deps.watching.observe("hub_offline", connectivity.lostSince);
  deps.watching.confirmBy(connectivity.works);
  // Tests see each result at the next tick.
  const engine = createEngine(deps, { connectivity, resultDelay: 0 });
  let created: App | undefined;
  /** Many tests call no route, and registering all of them takes longer than such tests. */
  const appOf = (): App => {
    if (created) return created;
    created = createApp(deps, engine, connectivity);
    // Without a listener, the peer address is this machine.
    created.server = { requestIP: () => ({ address: "127.0.0.1" }), timeout: () => {} } as unknown as App["server"];
    return created;
  };
  const send = (request: Request) => appOf().fetch(request);
  const anybody = createClient(send);
  if (!db) onTestFinished(() => database.close());
  return {
    get app() {
      return appOf();
    },
    deps,
    db: database,
    clock,
    engine,
    connectivity,
    logged,
    send,
    anybody,
    as: (user: TestUser) => createClient(send, user.token),
    /** Alice is the administrator because she is the first; bob and charlie are users. */
    people: async () => ({
      alice: await addUser(deps, "alice", "admin"),
      bob: await addUser(deps, "bob"),
      charlie: await addUser(deps, "charlie"),
    }),
  };
};

export type TestApp = Awaited<ReturnType<typeof createTestApp>>;
