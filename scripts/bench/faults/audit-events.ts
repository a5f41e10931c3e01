import type { Postgres } from "../lib/postgres";
import { queryOfPostgres, readStoredChecks } from "../lib/stored-checks";

/**
 * Compares the checks of monitors 1 to n with the requests received, and every change of state with its
 * notifications. Every figure except the count of events should be zero.
 */
export const auditEvents = async (
  { sql }: Pick<Postgres, "sql">,
  monitors: number,
  requests: number,
  received: { text: string }[],
) => {
  const checks = await readStoredChecks(queryOfPostgres(sql));
  const changes = new Set<string>();
  const before = new Map<number, boolean>();
  for (const { monitorId, checkedAt, up } of checks) {
    if (up !== (before.get(monitorId) ?? true)) changes.add(`${monitorId} ${checkedAt}`);
    before.set(monitorId, up);
  }
  const rows: { target_id: number; at: number }[] =
    await sql`select target_id, at from events where target_type = 'monitor'`;
  const notified = rows.map(({ target_id, at }) => `${target_id} ${at}`);
  const known = new Set(notified);
  const recorded = checks.filter(({ monitorId }) => monitorId <= monitors).length;
  return {
    events: notified.length,
    losses: {
      checks_not_recorded: Math.max(0, requests - recorded),
      checks_recorded_twice: Math.max(0, recorded - requests),
      changes_without_event: [...changes].filter((change) => !known.has(change)).length,
      events_without_change: notified.filter((event) => !changes.has(event)).length,
      sent_twice: received.length - new Set(received.map(({ text }) => text)).size,
    },
  };
};

/** Waits until all present events are delivered, or withdrawn because their outage ended first. Returns how many are not. */
export const untilDelivered = async ({ sql }: Pick<Postgres, "sql">): Promise<number> => {
  const [last] = await sql`select max(id) as id from events`;
  for (const begun = performance.now(); ; await Bun.sleep(100)) {
    const [row] = await sql`select count(*) as count from events as e where id <= ${last.id}
      and not exists (select 1 from deliveries where event_id = e.id
        and (state = 'sent' or (state = 'withheld' and error_code = 'recovered')))`;
    if (Number(row.count) === 0 || performance.now() - begun > 60_000) return Number(row.count);
  }
};
