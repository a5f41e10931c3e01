import { eq, sql } from "drizzle-orm";
import { checkDays, checkHours, checks, monitorStates } from "../db/schema";
import type { Viewer } from "../modules/monitors/list";
import type { MonitorInput } from "../modules/monitors/model";
import { recordResults } from "../modules/monitors/record";
import { createMonitor } from "../modules/monitors/service";
import type { TestApp } from "./app";
import type { TestUser } from "./people";

/** What a monitor is unless a test says otherwise: no repetitions, so that one request is one check. */
export const inputWith = (wanted: Partial<MonitorInput> & { url: string }): MonitorInput => ({
  name: "shop",
  method: "GET",
  interval: 60,
  timeout: 20,
  expectedStatus: 200,
  headers: {},
  body: "",
  retries: 0,
  active: true,
  ...wanted,
});

/** Stores a monitor without anything that checks it. Gives its id. */
export const addMonitor = (
  { deps }: Pick<TestApp, "deps">,
  owner: TestUser,
  wanted: Partial<MonitorInput> & { url: string },
): Promise<number> => createMonitor(deps, { id: owner.id, role: "user" } satisfies Viewer, inputWith(wanted));

type Recorded = { at: number; up?: boolean; time?: number | null; statusCode?: number | null; error?: string | null };

/** Records checks as if this instance had claimed and made them, one after the other. */
export const record = async ({ db, deps }: TestApp, monitorId: number, found: Recorded[]): Promise<void> => {
  const [state] = await db.select().from(monitorStates).where(eq(monitorStates.monitorId, monitorId));
  await db.atomically(() =>
    found.flatMap(({ at, up = true, time = 10, statusCode = 200, error = null }) => [
      sql`update monitor_states set claimed_by = ${deps.instance} where monitor_id = ${monitorId}`,
      ...recordResults(deps.instance, [
        {
          monitorId,
          revision: state?.revision ?? 0,
          checkedAt: at,
          up,
          responseTime: time,
          statusCode,
          error,
          certExpiresAt: null,
        },
      ]),
    ]),
  );
};

/** Everything that is stored of a monitor's past. */
export const countHistory = async ({ db }: TestApp, monitorId: number) => ({
  checks: await db.$count(checks, eq(checks.monitorId, monitorId)),
  hours: await db.$count(checkHours, eq(checkHours.monitorId, monitorId)),
  days: await db.$count(checkDays, eq(checkDays.monitorId, monitorId)),
});
