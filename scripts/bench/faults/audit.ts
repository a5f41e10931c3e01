import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Answered } from "./writers";

/** Holds what a SQLite file stores against what was answered, and its parts against each other. All should be zero. */
export const auditStored = (dataDir: string, answered: Answered): Record<string, number> => {
  const db = new Database(join(dataDir, "wakeful.db"), { readonly: true });
  const figure = (query: string): unknown => Object.values(db.query(query).get() as Record<string, unknown>)[0];
  const column = (query: string) =>
    new Set(
      db
        .query(query)
        .values()
        .map((row) => row.join(" ")),
    );
  const names = column("select name from monitors");
  const samples = column("select agent_id, at from samples");
  const checks = column("select monitor_id, checked_at from checks");
  const found = {
    broken: figure("pragma integrity_check") === "ok" ? 0 : 1,
    monitors_lost: answered.monitors.filter((name) => !names.has(name)).length,
    samples_lost: answered.samples.filter(({ agent, at }) => !samples.has(`${agent} ${at}`)).length,
    checks_lost: answered.checks.filter(({ monitor, at }) => !checks.has(`${monitor} ${at}`)).length,
    hours_beside_checks: Number(
      figure("select abs((select count(*) from checks) - coalesce(sum(up + down), 0)) from check_hours"),
    ),
    days_beside_checks: Number(
      figure("select abs((select count(*) from checks) - coalesce(sum(up + down), 0)) from check_days"),
    ),
    sums_beside_samples: Number(
      figure("select abs((select count(*) from samples) - coalesce(sum(memory_count), 0)) from sample_hours"),
    ),
    monitors_without_state: Number(
      figure("select count(*) from monitors where id not in (select monitor_id from monitor_states)"),
    ),
  };
  db.close();
  return found;
};

export const countAnswered = ({ monitors, samples, checks, refused }: Answered) => ({
  monitors: monitors.length,
  samples: samples.length,
  checks: checks.length,
  refused,
});
