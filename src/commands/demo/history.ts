import "../../server/compose/views";

import { readConfig } from "../../core/config";
import { createLog } from "../../core/log";
import { writeSetting } from "../../db/app-settings";
import { openDatabase } from "../../db/open";
import { monitors } from "../../db/schema";
import { systemClock } from "../../lib/time";
import { createLive } from "../../modules/live/live";
import { type PastCheck, writePast } from "../../modules/monitors/engine/past";
import { checkError } from "../../shared/check-error";
import { DAY, HOUR, MINUTE } from "../../shared/limits";
import type { Incident, Service } from "./inventory";

/** A monitor of the demo. */
export type Watched = Pick<Service, "latency" | "incidents"> & { id: number };

/** Days of checks. */
const LENGTH = 30;
/** The time before and after an incident with a check each minute. */
const AROUND = 2 * MINUTE;

/** Times of the checks of all monitors, ascending: hourly for a month, and every five minutes of the last day. */
const commonTimes = (now: number): number[] => {
  const hours = Array.from({ length: (LENGTH - 1) * 24 }, (_, index) => now - LENGTH * DAY + index * HOUR);
  const minutes = Array.from({ length: DAY / (5 * MINUTE) }, (_, index) => now - DAY + index * 5 * MINUTE);
  return [...hours, ...minutes];
};

/** Times of further checks of one monitor, around an incident. */
const closeTimes = (now: number, { from, to = 0 }: Incident): number[] => {
  const length = Math.floor((from - to + 2 * AROUND) / MINUTE);
  const times = Array.from({ length }, (_, index) => now - from - AROUND + index * MINUTE);
  return times.filter((at) => at < now - MINUTE);
};

const ERRORS: Record<Incident["as"], NonNullable<PastCheck["error"]>> = {
  status: checkError("status", { actual: 503, expected: "200" }),
  timeout: checkError("timeout", { seconds: 10 }),
};

const checkOf = ({ id, latency, incidents = [] }: Watched, at: number, now: number): PastCheck => {
  const incident = incidents.find(({ from, to = 0 }) => at >= now - from && at < now - to);
  // A daily curve, and some noise.
  const wave =
    1 + Math.sin((at / DAY) * 2 * Math.PI) / 5 + ((Math.round(at / MINUTE) * 7919 + id * 104_729) % 97) / 300;
  return {
    monitorId: id,
    checkedAt: at,
    up: !incident,
    responseTime: incident ? null : Math.round(latency * wave * 10) / 10,
    statusCode: incident ? (incident.as === "status" ? 503 : null) : 200,
    error: incident ? ERRORS[incident.as] : null,
    certExpiresAt: null,
  };
};

/** Stores a month of checks with the outages of the incidents. The hub must not be running. */
export const writeHistory = async (dataDir: string, watched: readonly Watched[]): Promise<void> => {
  const log = createLog("warn", true, (line) => process.stderr.write(line));
  const db = await openDatabase(readConfig({ DATA_DIR: dataDir }));
  const now = systemClock.now();
  const common = commonTimes(now);
  const checks = watched.flatMap((one) => {
    const own = one.incidents?.flatMap((incident) => closeTimes(now, incident)) ?? [];
    return [...new Set([...common, ...own])].map((at) => checkOf(one, at, now));
  });
  const live = createLive({ clock: systemClock, instance: "demo" });
  await db.update(monitors).set({ createdAt: now - LENGTH * DAY });
  await writePast({ db, log, live, clock: systemClock }, checks);
  // As if a hub had run until the next one starts.
  await writeSetting(db, "stopped_at", String(now + MINUTE));
  await db.close();
};
