/**
 * On SQLite, reports that change no status wait in a journal before they are written to the states and packs of their
 * agents: each batch is one row at the end of a table, which costs one page, whereas the rows of its agents are on as many
 * pages. The reports of the journal are also held in memory, which readers add to what they read:
 *
 *   1. journal   ingest.ts adds a row in the transaction that answers the reports, and holds them in memory
 *   2. write     this file writes them to states and packs after ten minutes, and before samples move to blocks
 *   3. replay    replay.ts holds those that an ended process has left in memory again, before the next one serves
 */
import { lte, type SQL } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import type { Queries } from "../../../../db/database";
import { reportJournal as journal } from "../../../../db/schema";
import { isOneOf } from "../../../../db/sql";
import { MINUTE } from "../../../../shared/limits";
import { writeSamples, writeStates } from "../writes";
import {
  type Held,
  holdReport,
  type Pending,
  type PendingReport,
  pendingOf,
  removePending,
  stateOfHeld,
} from "./pending";

/**
 * Reports are written to states and packs once the first has waited for this time, or once they take this much memory: about
 * 130 MB in ten minutes for 100,000 servers, or for 20,000 that report everything.
 */
const WRITE_EVERY = 10 * MINUTE;
const MOST_BYTES = 192 * 2 ** 20;
/** Agents of one transaction, because it blocks all other writes. */
const BATCH = 200;
/** The pause after a transaction, during which new reports are stored: a multiple of its time, within limits. */
const PAUSE_SHARE = 4;
const [SHORTEST_PAUSE, LONGEST_PAUSE] = [5, 250];
/** Rows of the journal that are deleted at once: each is on several pages. */
const ROWS_AT_ONCE = 50;

type Store = Pick<Deps, "db" | "clock">;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A report, as it stands in a row of the journal and as it is held in memory. */
type JournalEntry = { text: string; held: Held };

export const encodeEntry = (report: PendingReport): JournalEntry => ({
  text: JSON.stringify(report),
  held: holdReport(report),
});

const encode = (entries: readonly JournalEntry[]): Uint8Array =>
  Bun.deflateSync(encoder.encode(`[${entries.map(({ text }) => text).join(",")}]`), { level: 1 });

/** The reports of a row of the journal. */
export const decodeJournal = (data: Uint8Array): PendingReport[] =>
  JSON.parse(decoder.decode(Bun.inflateSync(Uint8Array.from(data)))) as PendingReport[];

/** The statement that adds reports to the journal; it returns the id of its row. */
export const writeJournal = (tx: Queries, entries: readonly JournalEntry[]) =>
  tx
    .insert(journal)
    .values({ data: encode(entries) })
    .returning({ id: journal.id });

/** The statements that write held reports to states and packs. */
const writeHeld = (reports: readonly Held[]): SQL[] => [
  ...writeStates(reports.map(stateOfHeld)),
  ...writeSamples(reports),
];

/** Writes the pending reports of these agents, within `exclusively`. Their rows stay in the journal. */
export const writePendingOf = async (
  { db }: Pick<Deps, "db">,
  pending: Pending,
  agentIds: readonly number[],
): Promise<void> => {
  const reports = agentIds.flatMap((id) => pending.byServer.get(id) ?? []);
  if (reports.length === 0) return;
  await db.atomically(() => writeHeld(reports));
  removePending(pending, agentIds);
};

/** Deletes the rows of the journal up to this one, all of whose reports are written. */
const deleteRows = async ({ db, clock }: Store, pending: Pending, lastRow: number): Promise<void> => {
  while (lastRow !== 0) {
    const oldest = db.select({ id: journal.id }).from(journal).where(lte(journal.id, lastRow)).orderBy(journal.id);
    const ids = (await oldest.limit(ROWS_AT_ONCE)).map(({ id }) => id);
    const isLast = ids.length < ROWS_AT_ONCE;
    await pending.exclusively(async () => {
      await db.delete(journal).where(isOneOf(journal.id, ids));
      if (isLast && pending.lastRow === lastRow) pending.lastRow = 0;
    });
    if (isLast) return;
    await clock.sleep(SHORTEST_PAUSE);
  }
};

/** The agents of each transaction, in the order of their rows, so that several of these are on each page that is written. */
const batchesOf = (pending: Pending): number[][] => {
  const ids = [...pending.byServer.keys()].toSorted((one, other) => one - other);
  return Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, index) =>
    ids.slice(index * BATCH, (index + 1) * BATCH),
  );
};

/** The last row of the journal: all reports up to it are pending, or written. */
const lastRowOf = (pending: Pending): Promise<number> => pending.exclusively(async () => pending.lastRow);

/** Writes all pending reports, in several transactions with pauses, and removes them from the journal. */
export const writeAllPending = ({ db, clock }: Store): Promise<void> => {
  const pending = pendingOf(db);
  return pending.oneWriteOut(async () => {
    const begun = clock.now();
    const lastRow = await lastRowOf(pending);
    for (const ids of batchesOf(pending)) {
      const before = clock.now();
      await pending.exclusively(() => writePendingOf({ db }, pending, ids));
      const pause = (clock.now() - before) * PAUSE_SHARE;
      if (ids.length === BATCH) await clock.sleep(Math.min(Math.max(pause, SHORTEST_PAUSE), LONGEST_PAUSE));
    }
    await deleteRows({ db, clock }, pending, lastRow);
    pending.since = begun;
  });
};

/**
 * Writes pending reports before the process ends, without pauses. If that takes longer than this time, the rest stays in the
 * journal, from where the next start reads it.
 */
export const writeBeforeEnd = async ({ db, clock }: Store, milliseconds: number): Promise<void> => {
  const pending = pendingOf(db);
  const until = clock.now() + milliseconds;
  const lastRow = await lastRowOf(pending);
  for (const ids of batchesOf(pending)) {
    if (clock.now() >= until) return;
    await pending.exclusively(() => writePendingOf({ db }, pending, ids));
  }
  await deleteRows({ db, clock }, pending, lastRow);
};

/** Writes the pending reports if they have waited for long, or if they take much memory. */
export const writeOverduePending = async (deps: Store): Promise<void> => {
  const pending = pendingOf(deps.db);
  const now = deps.clock.now();
  // Also after the clock was set back.
  if (pending.byServer.size === 0 || now < pending.since) pending.since = now;
  if (now - pending.since >= WRITE_EVERY || pending.size >= MOST_BYTES) await writeAllPending(deps);
};
