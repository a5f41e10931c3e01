/**
 * On SQLite, reports that change no status wait in a journal before they are written to the states and packs of their
 * agents: each batch is one row at the end of a table, which costs one page, whereas the rows of its agents are on as many
 * pages. The reports of the journal are also held in memory, which readers add to what they read:
 *
 *   1. journal   ingest.ts adds a row in the transaction that answers the reports, and holds them in memory
 *   2. write     this file writes them to states and packs after ten minutes, and before samples move to blocks
 *   3. replay    this file writes those that a killed process has left, before the next one serves
 */
import { asc, lte, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { describeError } from "../../../core/errors";
import type { Queries } from "../../../db/database";
import { reportJournal as journal, agentStates as states } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { MINUTE, SECOND } from "../../../shared/limits";
import { readStoredTimes } from "../history/read";
import { firstOfSeconds } from "../history/samples";
import { type Pending, type PendingReports, pendingOf, type ReportSize, removePending } from "./pending";
import { writeSamples, writeStates } from "./writes";

/** Reports are written to states and packs after this time, and when this many samples or characters wait. */
const WRITE_EVERY = 10 * MINUTE;
const MOST_SAMPLES = 50_000;
const MOST_CHARACTERS = 64 * 2 ** 20;
/** Agents of one transaction, because it blocks all other writes. */
const BATCH = 500;

type Store = Pick<Deps, "db" | "clock">;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A report, and as it stands in a row of the journal. */
type JournalEntry = { report: PendingReports; text: string; size: ReportSize };

export const encodeEntry = (report: PendingReports): JournalEntry => {
  const [state, samples] = [JSON.stringify(report.state), JSON.stringify(report.samples)];
  const text = `{"agentId":${report.agentId},"state":${state},"samples":${samples}}`;
  return { report, text, size: { state: state.length, samples: samples.length } };
};

const encode = (entries: readonly JournalEntry[]): Uint8Array =>
  Bun.deflateSync(encoder.encode(`[${entries.map(({ text }) => text).join(",")}]`), { level: 1 });

/** The reports of a row of the journal. */
export const decodeJournal = (data: Uint8Array): PendingReports[] =>
  JSON.parse(decoder.decode(Bun.inflateSync(Uint8Array.from(data)))) as PendingReports[];

/** The statement that adds reports to the journal; it returns the id of its row. */
export const writeJournal = (tx: Queries, entries: readonly JournalEntry[]) =>
  tx
    .insert(journal)
    .values({ data: encode(entries) })
    .returning({ id: journal.id });

/** The statements that write pending reports to states and packs. */
const writePending = (reports: readonly PendingReports[]): SQL[] => [
  ...writeStates(reports),
  ...writeSamples(reports.map(({ state, samples }) => ({ keyHash: state.keyHash, samples }))),
];

/** Writes the pending reports of these agents, within `exclusively`. Their rows stay in the journal. */
export const writePendingOf = async (
  { db }: Pick<Deps, "db">,
  pending: Pending,
  agentIds: readonly number[],
): Promise<void> => {
  const found = agentIds.flatMap((id) => pending.byAgent.get(id) ?? []);
  if (found.length === 0) return;
  await db.atomically(() => writePending(found));
  removePending(pending, agentIds);
};

/** Writes all pending reports, in several transactions, and removes them from the journal. */
export const writeAllPending = async ({ db, clock }: Store): Promise<void> => {
  const pending = pendingOf(db);
  const lastRow = await pending.exclusively(async () => pending.lastRow);
  const ids = [...pending.byAgent.keys()];
  if (ids.length === 0) return;
  for (let start = 0; start < ids.length; start += BATCH) {
    await pending.exclusively(() => writePendingOf({ db }, pending, ids.slice(start, start + BATCH)));
    if (start + BATCH < ids.length) await clock.sleep(5);
  }
  await db.delete(journal).where(lte(journal.id, lastRow));
  pending.writtenAt = clock.now();
};

/** Writes the pending reports if they have waited for long, or if they are many. */
export const writeOverduePending = async (deps: Store): Promise<void> => {
  const pending = pendingOf(deps.db);
  const now = deps.clock.now();
  // Also after the clock was set back.
  if (pending.byAgent.size === 0 || now < pending.writtenAt) pending.writtenAt = now;
  if (now - pending.writtenAt >= WRITE_EVERY || pending.samples >= MOST_SAMPLES || pending.size >= MOST_CHARACTERS)
    await writeAllPending(deps);
};

/** The reports of a row that are newer than the states of their agents, and their samples that are not stored. */
const notWritten = async (deps: Pick<Deps, "db" | "log">, reports: PendingReports[]): Promise<PendingReports[]> => {
  const stored = await readStoredTimes(deps, new Map(reports.map(({ agentId, samples }) => [agentId, samples])));
  return reports.map((report) => {
    const known = stored.get(report.agentId)?.seconds;
    const samples = firstOfSeconds(report.samples).filter(({ at }) => !known?.has(Math.floor(at / SECOND)));
    return { ...report, samples };
  });
};

/** The reports of a row. A damaged row has none, so that it does not keep the hub from starting. */
const readRow = ({ log }: Pick<Deps, "log">, row: { id: number; data: Uint8Array }): PendingReports[] => {
  try {
    return decodeJournal(row.data);
  } catch (error) {
    log.error("a row of the report journal is damaged, it is skipped", { row: row.id, error: describeError(error) });
    return [];
  }
};

/** Writes what a process that was killed has left in the journal. Reports that were written before change nothing. */
export const replayJournal = async (deps: Pick<Deps, "db" | "log">): Promise<void> => {
  const { db } = deps;
  for (;;) {
    const [row] = await db.select().from(journal).orderBy(asc(journal.id)).limit(1);
    if (!row) return;
    const reports = await notWritten(deps, readRow(deps, row));
    const ids = reports.map(({ agentId }) => agentId);
    const rows = await db
      .select({ id: states.agentId, reportedAt: states.reportedAt })
      .from(states)
      .where(isOneOf(states.agentId, ids));
    const reportedAt = new Map(rows.map((state) => [state.id, state.reportedAt ?? 0]));
    const newer = reports.filter(({ agentId, state }) => (state.reportedAt ?? 0) > (reportedAt.get(agentId) ?? 0));
    await db.atomically((tx) => [
      ...writeStates(newer),
      ...writeSamples(reports.map(({ state, samples }) => ({ keyHash: state.keyHash, samples }))),
      tx.delete(journal).where(sql`${journal.id} = ${row.id}`),
    ]);
  }
};
