import { type SQL, sql } from "drizzle-orm";
import { monitors, monitorStates as states } from "../../db/schema";
import { withValues } from "../../db/sql";
import { emptyRecent } from "../../shared/monitor";
import type { Config } from "./kinds/kind";
import { kindOf } from "./kinds/registry";
import type { MonitorInput } from "./model";

/** A monitor as it is stored, with all fields of its kind in `config`. */
export type StoredMonitor = MonitorInput &
  Pick<typeof monitors.$inferSelect, "id" | "userId" | "target" | "createdAt" | "updatedAt">;

/** Converts a row to a monitor. */
export const fromRow = ({ payload, ...row }: typeof monitors.$inferSelect): StoredMonitor => ({
  ...row,
  config: { ...row.config, ...payload },
});

/** The columns of the fields that a user sets. */
export const toColumns = ({ name, kind, config, interval, timeout, retries, active }: MonitorInput) => {
  const { large = [], target } = kindOf(kind) ?? {};
  const isLarge = ([field]: [string, unknown]) => large.includes(field);
  const fields = Object.entries(config);
  return {
    name,
    kind,
    target: target?.(config) ?? "",
    config: Object.fromEntries(fields.filter((field) => !isLarge(field))) satisfies Config,
    payload: Object.fromEntries(fields.filter(isLarge)) satisfies Config,
    interval,
    timeout,
    retries,
    active,
  };
};

const INSERTED = {
  id: "bigint",
  name: "text",
  kind: "text",
  target: "text",
  config: "json",
  payload: "json",
  interval: "integer",
  timeout: "integer",
  retries: "integer",
  active: "boolean",
} as const;

/**
 * The statements that create monitors with reserved ids if the condition is true, and none otherwise. The first statement
 * returns the ids. Active monitors are due at `now`.
 */
export const insertMonitors = (
  added: readonly (MonitorInput & { id: number })[],
  { userId, now, condition }: { userId: number; now: number; condition: SQL },
): SQL[] => {
  const names = Object.keys(INSERTED) as (keyof typeof INSERTED)[];
  const rows = added.map((monitor) => {
    const columns = { id: monitor.id, ...toColumns(monitor) };
    return names.map((name) => columns[name]);
  });
  const columns = sql.raw(names.join(", "));
  const ids = added.map(({ id, active }) => [id, active]);
  return [
    sql`${withValues("given", INSERTED, rows)}
      insert into ${monitors} (${columns}, user_id, created_at, updated_at)
      select ${columns}, cast(${userId} as bigint), cast(${now} as bigint), cast(${now} as bigint) from given
      where ${condition} returning id`,
    // A reserved id is in the table if and only if the previous statement inserted it.
    sql`${withValues("given", { id: "bigint", active: "boolean" }, ids)}
      insert into ${states} (monitor_id, next_check_at, status, recent)
      select given.id, case when given.active then cast(${now} as bigint) end, 'pending', ${emptyRecent} from given
      where exists (select 1 from ${monitors} as m where m.id = given.id)`,
  ];
};

const sorted = (value: unknown): unknown =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, inner]) => [name, sorted(inner)]),
      );

/** A key that is equal for monitors with the same settings, active or paused. */
export const monitorKey = ({ name, kind, config, interval, timeout, retries }: MonitorInput): string =>
  JSON.stringify([name, kind, sorted(config), interval, timeout, retries]);
