import type { Database } from "../db/database";
import type { Outbound } from "../probe/outbound";
import type { Clock } from "./clock";
import type { Config } from "./config";
import type { Log } from "./log";
import type { Meters } from "./process-metrics";

/** The dependencies that are passed to every part of the hub. */
export type Deps = {
  config: Config;
  db: Database;
  clock: Clock;
  log: Log;
  /** Counters and gauges for /metrics. */
  meters: Meters;
  /** Sends the requests of checks and deliveries. */
  outbound: Outbound;
  /** The id of this process among the instances on the database. */
  instance: string;
  /** Signs sessions. */
  jwtSecret: string;
  /** Generated at the first start. Part of session tokens, so that no other installation accepts them. */
  installationId: string;
};
