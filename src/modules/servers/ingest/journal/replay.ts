/**
 * Replays reports that an ended process left in the journal: they are held in memory again, and written with later ones.
 * Reports that were written are left out, so the journal may be replayed any number of times.
 */
import { asc, gt, type SQL } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { describeError } from "../../../../core/errors";
import { reportJournal as journal, agentStates as states } from "../../../../db/schema";
import { isOneOf } from "../../../../db/sql";
import { SECOND } from "../../../../shared/limits";
import { readStoredTimes } from "../../history/read";
import { firstOfSeconds, packOf, samplePack } from "../../history/samples";
import { writeSamples } from "../writes";
import { decodeJournal, writeAllPending } from "./journal";
import { addPending, type Held, holdReport, joinHeld, type PendingReport, pendingOf } from "./pending";

type Store = Pick<Deps, "db" | "clock" | "log">;

/** Agents whose rows are read at once. */
const BATCH = 500;

/** Rows of the journal between collections of garbage. */
const ROWS_BETWEEN_COLLECTIONS = 250;

/** All reports of an agent in the journal, and when the first of them arrived. */
type Found = { held: Held; since: number };

/** The reports of a row; none if it is damaged, so that it does not prevent the start. */
const readRow = ({ log }: Pick<Deps, "log">, row: { id: number; data: Uint8Array }): PendingReport[] => {
  try {
    return decodeJournal(row.data);
  } catch (error) {
    log.error("a row of the report journal is damaged, it is skipped", { row: row.id, error: describeError(error) });
    return [];
  }
};

/** All reports of the journal, by agent, and its last row. */
const readJournal = async (deps: Store) => {
  const byAgent = new Map<number, Found>();
  let lastRow: number | null = null;
  for (let read = 1; ; read++) {
    // Parsed reports are garbage at once, which would take a gigabyte before it is collected.
    if (read % ROWS_BETWEEN_COLLECTIONS === 0) Bun.gc(true);
    const after: SQL | undefined = lastRow === null ? undefined : gt(journal.id, lastRow);
    const [row] = await deps.db.select().from(journal).where(after).orderBy(asc(journal.id)).limit(1);
    if (!row) return { found: byAgent, lastRow };
    for (const report of readRow(deps, row)) {
      const before = byAgent.get(report.agentId);
      const at = report.state.reportedAt ?? 0;
      const added = holdReport(report);
      const { samples } = joinHeld(before?.held, added);
      // As a state that is written is not replaced by one with an earlier time.
      const latest = before && (before.held.reportedAt ?? 0) > at ? before.held : added;
      byAgent.set(report.agentId, { held: { ...latest, samples }, since: Math.min(before?.since ?? at, at) });
    }
    lastRow = row.id;
  }
};

/** The stored states of agents with reports in the journal. */
const readStates = async ({ db }: Store, ids: readonly number[]) => {
  const { agentId, keyHash, reportedAt } = states;
  const rows = await db.select({ agentId, keyHash, reportedAt }).from(states).where(isOneOf(agentId, ids));
  return new Map(rows.map((row) => [row.agentId, row]));
};
type State = Awaited<ReturnType<typeof readStates>> extends Map<number, infer Row> ? Row : never;

/** Reports without the samples that are stored. */
const withoutStored = async (deps: Store, reports: readonly Held[]): Promise<Held[]> => {
  const sent = reports.map((held) => ({
    held,
    samples: firstOfSeconds(samplePack.decode(held.samples?.bytes ?? null).rows),
  }));
  const stored = await readStoredTimes(deps, new Map(sent.map(({ held, samples }) => [held.agentId, samples])));
  return sent.map(({ held, samples }) => {
    const storedSeconds = stored.get(held.agentId)?.seconds;
    return { ...held, samples: packOf(samples.filter(({ at }) => !storedSeconds?.has(Math.floor(at / SECOND)))) };
  });
};

/** Holds the reports of some agents in memory, without what was written before. */
const restore = async (deps: Store, reports: readonly Found[]): Promise<void> => {
  const { db } = deps;
  const stored = await readStates(
    deps,
    reports.map(({ held }) => held.agentId),
  );
  // Deleted agents have no state and re-enrolled machines have a new key; both were flushed earlier.
  const current = reports.filter(({ held }) => stored.get(held.agentId)?.keyHash === held.keyHash);
  const stateOf = ({ agentId }: Held) => stored.get(agentId) as State;
  const { untouched = [], touched = [] } = Object.groupBy(current, ({ held, since }) =>
    // Reports are written together, so that none of them is while the state is older than the first.
    (stateOf(held).reportedAt ?? Number.POSITIVE_INFINITY) < since ? "untouched" : "touched",
  );
  const open = [
    ...untouched.map(({ held }) => held),
    ...(await withoutStored(
      deps,
      touched.map(({ held }) => held),
    )),
  ];
  const { waiting = [], earlier = [] } = Object.groupBy(open, (held) =>
    (held.reportedAt ?? 0) > (stateOf(held).reportedAt ?? 0) ? "waiting" : "earlier",
  );
  // Only the samples of earlier reports count.
  if (earlier.length > 0) await db.atomically(() => writeSamples(earlier));
  for (const held of waiting) addPending(pendingOf(db), held);
};

/** Restores what a process that was killed has left in the journal. On PostgreSQL, where no reports wait, it is written. */
export const replayJournal = async (deps: Store): Promise<void> => {
  const pending = pendingOf(deps.db);
  const { found, lastRow } = await readJournal(deps);
  if (lastRow === null) return;
  const all = [...found.values()].toSorted((one, other) => one.held.agentId - other.held.agentId);
  for (let start = 0; start < all.length; start += BATCH) await restore(deps, all.slice(start, start + BATCH));
  pending.lastRow = lastRow;
  pending.since = all.reduce((first, { since }) => Math.min(first, since), deps.clock.now());
  if (pending.byServer.size === 0 || deps.db.engine === "postgres") await writeAllPending(deps);
};
