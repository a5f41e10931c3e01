/**
 * Alerts about objectives. Once a minute `watchBudgets` compares the budget of each monitor that has an objective with its open
 * outages: `budget_burning` while the budget is used too fast, `budget_spent` while none of it is left.
 */
import { and, asc, gt, isNotNull } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { monitorStates, objectives } from "../../../db/schema";
import { isOneOf, lock, lockRows } from "../../../db/sql";
import { budgetError, isBurning } from "../../../shared/outages/objectives";
import { type Change, readOpenOutages, report } from "../../alerting/report";
import { readTagged } from "../../tags/service";
import { readBudgets, readObjectives } from "./service";

type Store = Pick<Deps, "db" | "clock" | "config" | "live" | "log">;

const KINDS = ["budget_burning", "budget_spent"] as const;
type Kind = (typeof KINDS)[number];

/** Monitors that are read at once. */
const PAGE = 500;

/** The ids of monitors with an objective, or with an open outage by one that was removed. */
const readWatched = async (deps: Store): Promise<number[]> => {
  const { monitorId, tagId } = objectives;
  const tags = await deps.db.select({ tagId }).from(objectives).where(isNotNull(tagId));
  const tagged = await readTagged(
    deps,
    "monitor",
    tags.flatMap((row) => row.tagId ?? []),
  );
  const ids = new Set([...tagged.values()].flatMap((of) => [...of]));
  for (let after = 0; ; ) {
    const page = await deps.db
      .select({ monitorId })
      .from(objectives)
      .where(and(isNotNull(monitorId), gt(monitorId, after)))
      .orderBy(asc(monitorId))
      .limit(PAGE);
    for (const row of page) ids.add(row.monitorId as number);
    if (page.length < PAGE) break;
    after = page.at(-1)?.monitorId as number;
  }
  for (const { targetId } of await readOpenOutages(deps, "monitor", KINDS)) ids.add(targetId);
  return [...ids];
};

/** What changes in the outages of these monitors. An outage by an objective that was removed or is silent ends silently. */
const findChanges = async (deps: Store, ids: readonly number[], now: number): Promise<Change[]> => {
  const open = await readOpenOutages(deps, "monitor", KINDS, ids);
  const openOf = (id: number, kind: Kind) => open.find((outage) => outage.targetId === id && outage.kind === kind);
  const budgets = await readBudgets(deps, await readObjectives(deps, ids));
  return ids.flatMap((targetId) => {
    const known = budgets.get(targetId);
    return KINDS.flatMap((kind): Change[] => {
      const before = openOf(targetId, kind);
      const change = { targetId, kind, at: now };
      if (!known?.objective.alerts) return before ? [{ ...change, opens: false, silent: true }] : [];
      const { objective, budget } = known;
      const isSpent = budget.down >= budget.budget;
      const isOpen = kind === "budget_spent" ? isSpent : !isSpent && isBurning(budget.rates, before !== undefined);
      // Once it is spent, the event about that says all.
      if (!isOpen) return before ? [{ ...change, opens: false, silent: kind === "budget_burning" && isSpent }] : [];
      const error = budgetError(kind, objective, budget);
      if (before && Bun.deepEquals(before.errorDetail, error.detail)) return [];
      return [{ ...change, opens: true, silent: before !== undefined, error }];
    });
  });
};

/** Opens and ends the outages of budgets. Returns whether events were written. */
export const watchBudgets = async (deps: Store): Promise<boolean> => {
  const now = deps.clock.now();
  const watched = await readWatched(deps);
  let written = false;
  for (let first = 0; first < watched.length; first += PAGE) {
    const page = watched.slice(first, first + PAGE);
    const ids = [...new Set((await findChanges(deps, page, now)).map(({ targetId }) => targetId))];
    if (ids.length > 0)
      await deps.db.transact(async (tx) => {
        // Another instance may have written them since.
        await lock(tx, lockRows(monitorStates, monitorStates.monitorId, isOneOf(monitorStates.monitorId, ids)));
        const changes = await findChanges({ ...deps, db: tx }, ids, now);
        await report({ ...deps, db: tx }, "monitor", changes);
        written ||= changes.some(({ silent }) => !silent);
      });
  }
  return written;
};
