import type { Postgres } from "../lib/postgres";

/**
 * Compares the checks of monitors 1 to n with the requests received, and every change of state with its
 * notifications. Every figure except the count of events should be zero.
 */
export const auditEvents = async (
  { sql }: Postgres,
  monitors: number,
  requests: number,
  received: { text: string }[],
) => {
  const [row] = await sql`
    with seen as (select monitor_id, checked_at, up, lag(up, 1, true) over (partition by monitor_id order by checked_at) as before from checks),
      changes as (select monitor_id, checked_at from seen where up <> before),
      notified as (select target_id, at from events where target_type = 'monitor')
    select (select count(*) from checks where monitor_id <= ${monitors}) as checks, (select count(*) from notified) as events,
      (select count(*) from changes left join notified on target_id = monitor_id and at = checked_at where at is null) as without_event,
      (select count(*) from notified left join changes on target_id = monitor_id and at = checked_at where checked_at is null) as without_change`;
  const [checks, events] = [Number(row.checks), Number(row.events)];
  return {
    events,
    losses: {
      checks_not_recorded: Math.max(0, requests - checks),
      checks_recorded_twice: Math.max(0, checks - requests),
      changes_without_event: Number(row.without_event),
      events_without_change: Number(row.without_change),
      sent_twice: received.length - new Set(received.map(({ text }) => text)).size,
    },
  };
};
