import { and, asc, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { outages } from "../../../../db/schema";
import { isOneOf } from "../../../../db/sql";
import type { CheckErrorCode, ErrorDetail } from "../../../../shared/check-error";
import type { OutageCause } from "../../../../shared/notifications";
import { viewOf } from "../../targets";

/** Outages of one owner that are compared with each other, the latest ones. */
const MAX_COMPARED = 1000;

/** An open outage of a monitor, with what its cause is found by. */
export type OpenOutage = {
  id: number;
  teamId: number;
  targetId: number;
  startedAt: number;
  startedAfter: number | null;
  address: string | null;
  errorCode: CheckErrorCode | null;
  errorDetail: ErrorDetail | null;
  cause: OutageCause | null;
  host: string;
  /** Of the monitor's checks, in seconds. */
  interval: number;
};

const isDown: SQL = sql`${outages.targetType} = 'monitor' and ${outages.kind} = 'down' and ${outages.endedAt} is null`;

/** The open outages of monitors that a condition holds for. */
export const readOpen = async ({ db }: Pick<Deps, "db">, condition: SQL | undefined): Promise<OpenOutage[]> => {
  const rows = await db
    .select({
      id: outages.id,
      teamId: outages.teamId,
      targetId: outages.targetId,
      startedAt: outages.startedAt,
      startedAfter: outages.startedAfter,
      address: outages.address,
      errorCode: outages.errorCode,
      errorDetail: outages.errorDetail,
      cause: outages.cause,
    })
    .from(outages)
    .where(and(isDown, condition))
    .orderBy(asc(outages.id));
  const facts = await viewOf("monitor").read(
    { db },
    rows.map(({ targetId }) => targetId),
  );
  return rows.flatMap((row) => {
    const { host, interval } = facts.get(row.targetId) ?? {};
    return host === undefined || interval === undefined ? [] : [{ ...row, host, interval }];
  });
};

/** The open outages of the monitors of these owners that began after `from`, the latest ones of each. */
export const readOpenOf = (deps: Pick<Deps, "db">, owners: readonly number[], from: number): Promise<OpenOutage[]> =>
  readOpen(
    deps,
    sql`${outages.id} in (select id from (
      select o.id, row_number() over (partition by o.team_id order by o.id desc) as nth from ${outages} as o
      where ${isOneOf(sql`o.team_id`, owners)} and o.ended_at is null and o.kind = 'down' and o.started_at >= ${from}
    ) as latest where nth <= ${MAX_COMPARED})`,
  );
