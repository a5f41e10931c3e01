/**
 * Slow answers. A monitor with a limit for its response time or its lost packets is degraded while three or more of its
 * last five answers were beyond that; failed checks are no answers. It counts as up.
 */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Outcome } from "../../../probe/outcome";
import { type CheckError, checkError } from "../../../shared/check-error";

/** How many of the last answers are slow when a monitor becomes degraded. */
const [ENOUGH, ANSWERS] = [3, 5] as const;
const ALL = 2 ** ANSWERS;

/** Which of the last answers were slow, after one more. The latest is in the lowest bit. */
export const withAnswer = (bits: number, slow: boolean): number => (bits * 2 + Number(slow)) % ALL;
export const withAnswerSql = (bits: SQLWrapper, slow: SQL): SQL =>
  sql`((${bits} * 2 + ${slow}) % ${sql.raw(String(ALL))})`;

const countOf = (bits: number): number => [...bits.toString(2)].filter((bit) => bit === "1").length;
const MOSTLY_SLOW = Array.from({ length: ALL }, (_, bits) => bits).filter((bits) => countOf(bits) >= ENOUGH);
const isListed = sql.raw(`in (${MOSTLY_SLOW.join(", ")})`);
const least = sql.raw(`>= ${Math.min(...MOSTLY_SLOW)}`);

/** Whether enough of the last answers are slow for the monitor to be degraded. */
export const isMostlySlow = (bits: number): boolean => MOSTLY_SLOW.includes(bits);
// The comparison is all that monitors without slow answers cost.
export const isMostlySlowSql = (bits: SQLWrapper): SQL => sql`(${bits} ${least} and ${bits} ${isListed})`;

/** Why a monitor is degraded. It becomes so when the last of just enough answers is slow. */
export const slowError = ({ slowLimit = 0, slowCode = "slow_response" }: Outcome): CheckError =>
  checkError(slowCode, { limit: slowLimit, slow: ENOUGH, checks: ANSWERS });
