/**
 * The pings of jobs, from the request to the rows:
 *
 *   1. submit   ping-batcher.ts, below  a ping waits for its batch; beyond limits it is refused
 *   2. read     addresses.ts            the heartbeats of the batch by their addresses; some are created
 *   3. apply    ../state.ts             what each ping changes
 *   4. write    ../write.ts             one transaction for the batch: checks, events, outages, deadlines and pings
 *   5. answer   routes.ts               in the dialect of the caller
 *
 * Beside it: ping-limits.ts (rate limits), and ../deadlines.ts, which finds the heartbeats whose pings are missing.
 */
import { and, eq, gt, inArray, max } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { AppError, describeError, notFound, rateLimited, unavailable } from "../../../../core/errors";
import { pings } from "../../../../db/schema";
import { isOneOf } from "../../../../db/sql";
import { createCoalescedRunner } from "../../../../lib/concurrency";
import { DAY } from "../../../../shared/limits";
import { applyPing } from "../state";
import { type Entry, type PingRow, type Read, writeEntries } from "../write";
import { type Address, addressText, createHeartbeat, readAddressed } from "./addresses";
import { createPingLimits, type PingLimits } from "./ping-limits";

/** Pings that arrive within this time are written in one transaction. */
const BATCH_WINDOW_MS = 5;
/** Pings of one transaction, because it blocks all other writes on SQLite. */
const MAX_BATCH = 500;
/** Limits above which a ping is refused: waiting pings, and waiting pings of one address. */
const MAX_WAITING = 20_000;
const MAX_PER_ADDRESS = 10;
/** How often a batch is tried again for heartbeats that were changed in between. */
const TRIES = 10;
/** The start of a run with an id is looked for among the pings of this time. */
const LONGEST_RUN = 3 * DAY;

/** A ping as it was received. `creates`: a missing heartbeat of its slug is created. */
type Received = PingRow & Address & { creates: boolean; method: string; network: string };

/** Whether its heartbeat was created. */
type Stored = { created: boolean };
type Waiting = Received & PromiseWithResolvers<Stored>;

/** The starts of the runs that pings with an id may end, by heartbeat and id. */
const readStarts = async ({ db, clock }: Pick<Deps, "db" | "clock">, batch: readonly [Read, Received][]) => {
  const ended = batch.flatMap(([read, { report }]) =>
    report.kind !== "mute" && report.runId !== null && report.runId !== read.stored.runId
      ? [{ id: read.monitorId, runId: report.runId }]
      : [],
  );
  if (ended.length === 0) return new Map<string, number>();
  const rows = await db
    .select({ id: pings.monitorId, runId: pings.runId, at: max(pings.at) })
    .from(pings)
    .where(
      and(
        isOneOf(
          pings.monitorId,
          ended.map(({ id }) => id),
        ),
        inArray(
          pings.runId,
          ended.map(({ runId }) => runId),
        ),
        eq(pings.kind, "start"),
        gt(pings.at, clock.now() - LONGEST_RUN),
      ),
    )
    .groupBy(pings.monitorId, pings.runId);
  return new Map(rows.flatMap(({ id, runId, at }) => (at === null ? [] : [[`${id} ${runId}`, at] as const])));
};

type Parts = Pick<Deps, "db" | "clock" | "config" | "log" | "live" | "meters" | "changedMonitors">;

/** Returns a function that stores a batch, and answers each of its pings. */
const createStore = (deps: Parts, limits: PingLimits, onChange: () => void) => {
  /** How long the last write took in milliseconds. */
  let lastWrite = 0;

  /** Refuses addresses that do not exist, after the time that a ping with a known one takes. */
  const refuseUnknown = (unknown: readonly Waiting[], written: boolean): void => {
    if (unknown.length === 0) return;
    for (const { network } of unknown) limits.countUnknown(network);
    const refuse = () => {
      for (const { reject } of unknown) reject(notFound("This address"));
    };
    if (written) refuse();
    else void deps.clock.sleep(lastWrite).then(refuse);
  };

  /** Why a ping to a heartbeat is refused; null if it is not. */
  const refusalOf = (read: Read, ping: Waiting): AppError | null => {
    if (read.postOnly && ping.method !== "POST") return new AppError("post_only");
    const seconds = limits.count(addressText(ping), read.monitorId);
    return seconds > 0 ? rateLimited(seconds) : null;
  };

  /** Creates the heartbeat of a slug. Returns whether its ping goes on. */
  const create = async ({ token, slug, reject }: Waiting): Promise<boolean> => {
    const seconds = limits.countCreated(token);
    try {
      if (seconds > 0) throw rateLimited(seconds);
      await createHeartbeat(deps, { token, slug: slug ?? "" });
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      reject(error);
      return false;
    }
  };

  const entriesOf = async (batch: readonly [Read, Waiting][]): Promise<Entry[]> => {
    const starts = await readStarts(deps, batch);
    return batch.map(([read, ping]) => {
      const runId = ping.report.kind === "mute" ? null : ping.report.runId;
      const change = applyPing(read, ping.report, ping.at, starts.get(`${read.monitorId} ${runId}`) ?? null);
      return { read, change, ping };
    });
  };

  return async (batch: readonly Waiting[]): Promise<void> => {
    const unknown: Waiting[] = [];
    const [admitted, created] = [new Set<Waiting>(), new Set<Waiting>()];
    let open = batch;
    for (let tried = 0; open.length > 0; tried++) {
      if (tried === TRIES) throw unavailable("This heartbeat is changing too often.");
      const found = await readAddressed(deps, open);
      const accepted = new Map<number, [Read, Waiting]>();
      const later: Waiting[] = [];
      for (const ping of open) {
        const reads = found.get(addressText(ping));
        const [read, other] = reads ?? [];
        const refusal = other ? new AppError("slug_ambiguous") : read && !admitted.has(ping) && refusalOf(read, ping);
        if (refusal) ping.reject(refusal);
        else if (!read && reads && ping.creates && !created.has(ping)) {
          if (await create(ping)) later.push(ping);
          created.add(ping);
        } else if (!read) unknown.push(ping);
        else {
          admitted.add(ping);
          // A heartbeat may be pinged at several addresses, and has one write in a transaction.
          if (accepted.has(read.monitorId)) later.push(ping);
          else accepted.set(read.monitorId, [read, ping]);
        }
      }
      const startedAt = performance.now();
      const written = await writeEntries(deps, await entriesOf([...accepted.values()]), onChange);
      if (written.length > 0) lastWrite = performance.now() - startedAt;
      const done = new Set(written.map(({ read }) => read.monitorId));
      for (const [monitorId, [, ping]] of accepted)
        if (done.has(monitorId)) ping.resolve({ created: created.has(ping) });
        else later.push(ping);
      open = later;
    }
    refuseUnknown(unknown, unknown.length < batch.length);
  };
};

/** Stores pings in batches. Each is answered once it is stored; `onChange` is called when events were written. */
export const createPingBatcher = (deps: Parts, onChange: () => void) => {
  const { clock, log } = deps;
  const limits = createPingLimits(deps);
  const store = createStore(deps, limits, onChange);
  /** By address. */
  const waiting = new Map<string, Waiting[]>();
  let count = 0;

  /** The first ping of each address: a second one waits for the next batch, so that they are applied in their order. */
  const takeBatch = (): Waiting[] => {
    const batch: Waiting[] = [];
    for (const [address, [first, ...others]] of [...waiting]) {
      if (!first || batch.length >= MAX_BATCH) break;
      batch.push(first);
      waiting.delete(address);
      if (others.length > 0) waiting.set(address, others);
    }
    count -= batch.length;
    return batch;
  };

  const writeWaiting = createCoalescedRunner(async () => {
    while (count > 0) {
      if (count < MAX_BATCH) await clock.sleep(BATCH_WINDOW_MS);
      const batch = takeBatch();
      await store(batch).catch((error) => {
        log.error("pings could not be stored", { pings: batch.length, error: describeError(error) });
        for (const { reject } of batch) reject(error instanceof AppError ? error : unavailable());
      });
    }
  });

  return {
    /**
     * Stores a ping.
     * @throws {AppError} not_found for an unknown address, slug_ambiguous, post_only, quota_reached, rate_limited, unavailable
     *   when nothing can be stored now
     */
    submit: (ping: Received): Promise<Stored> => {
      const address = addressText(ping);
      limits.admit(address, ping.network);
      const before = waiting.get(address) ?? [];
      if (before.length >= MAX_PER_ADDRESS) throw rateLimited(1);
      if (count >= MAX_WAITING) throw unavailable("Too many pings are waiting to be stored.");
      const entry: Waiting = { ...ping, ...Promise.withResolvers<Stored>() };
      waiting.set(address, [...before, entry]);
      count++;
      void writeWaiting();
      return entry.promise;
    },
  };
};

export type PingBatcher = ReturnType<typeof createPingBatcher>;
