import { eq } from "drizzle-orm";
import { monitorStates } from "../db/schema";
import type { TestApp } from "./app";
import { until } from "./clock";

/** Ticks until nothing is under way any more. */
export const finishChecks = ({ engine }: Pick<TestApp, "engine">): Promise<void> =>
  until(async () => {
    await engine.tick();
    return engine.inFlight() === 0;
  }, "the checks to end");

export const readState = async ({ db }: Pick<TestApp, "db">, monitorId: number) => {
  const [state] = await db.select().from(monitorStates).where(eq(monitorStates.monitorId, monitorId));
  if (!state) throw new Error(`monitor ${monitorId} has no state`);
  return state;
};
