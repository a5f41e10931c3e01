import type { MonitorCheck, Query } from "./stored-checks";

type Outage = { startedAt: number; endedAt: number | null; first: string; last: string; failed: number };

/** The outages that follow from the checks of monitors that were never paused, in the order of their times. */
const replay = (checks: MonitorCheck[]): Set<string> => {
  const found: (Outage & { monitorId: number })[] = [];
  const open = new Map<number, Outage>();
  for (const { monitorId, checkedAt, up, error } of checks) {
    const outage = open.get(monitorId);
    const code = error?.code ?? "";
    if (up) {
      if (outage) outage.endedAt = checkedAt;
      open.delete(monitorId);
    } else if (outage) {
      Object.assign(outage, { last: code, failed: outage.failed + 1 });
    } else {
      const begun = { monitorId, startedAt: checkedAt, endedAt: null, first: code, last: code, failed: 1 };
      found.push(begun);
      open.set(monitorId, begun);
    }
  }
  return new Set(found.map((one) => Object.values(one).join(" ")));
};

/** Compares the stored outages of monitors that were never paused with their checks. Every figure should be zero. */
export const auditOutages = async (query: Query, checks: MonitorCheck[]) => {
  const rows = await query(`select target_id, started_at, ended_at, error_code, last_error_code, checks_failed
    from outages where target_type = 'monitor'`);
  const stored = new Set(
    rows.map((row) =>
      [row.target_id, row.started_at, row.ended_at, row.error_code, row.last_error_code, row.checks_failed].join(" "),
    ),
  );
  const expected = replay(checks);
  return {
    outages_lost: [...expected].filter((outage) => !stored.has(outage)).length,
    outages_without_checks: [...stored].filter((outage) => !expected.has(outage)).length,
  };
};
