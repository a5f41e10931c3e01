import type { Database } from "../db/database";
import type { Outbound } from "../probe/outbound";
import type { Clock } from "./clock";
import type { Config } from "./config";
import type { Log } from "./log";
import type { Meters } from "./process-metrics";

/** What the parts of the server are given instead of reaching for it. */
export type Deps = {
  config: Config;
  db: Database;
  clock: Clock;
  log: Log;
  /** What this process has done, for whoever watches it. */
  meters: Meters;
  /** Makes every request of checks and deliveries. */
  outbound: Outbound;
  /** Names this process among those that share the database. */
  instance: string;
  /** Signs sessions. */
  jwtSecret: string;
  /** Made at the first start. Session tokens carry it, so that no other installation accepts them. */
  installationId: string;
};
