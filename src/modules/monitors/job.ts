import { eq } from "drizzle-orm";
import { monitors, users } from "../../db/schema";
import { isOneOf } from "../../db/values";
import type { Deps } from "../../deps";
import type { Method } from "../../shared/limits";
import type { Target } from "./probe";
import type { Claim } from "./schedule";

/** A claimed check and the request that it makes. */
export type Job = Claim & { target: Target & { retries: number } };

/** The jobs of these claims. A monitor that was deleted meanwhile has none. */
export const readJobs = async ({ db, config }: Pick<Deps, "db" | "config">, claims: Claim[]): Promise<Job[]> => {
  if (claims.length === 0) return [];
  const ids = claims.map(({ monitorId }) => monitorId);
  const rows = await db
    .select({ monitor: monitors, role: users.role })
    .from(monitors)
    .innerJoin(users, eq(users.id, monitors.userId))
    .where(isOneOf(monitors.id, ids));
  const byId = new Map(rows.map((row) => [row.monitor.id, row]));
  const { privateTargets } = config;
  return claims.flatMap((claim) => {
    const row = byId.get(claim.monitorId);
    if (!row) return [];
    const { url, method, headers, body, timeout, expectedStatus, retries } = row.monitor;
    const allowPrivate = privateTargets === "all" || (privateTargets === "admin" && row.role === "admin");
    const target = { url, method: method as Method, headers, body, timeout, expectedStatus, retries, allowPrivate };
    return [{ ...claim, target }];
  });
};
