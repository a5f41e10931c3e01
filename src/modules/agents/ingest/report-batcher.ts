import type { Deps } from "../../../core/deps";
import { describeError, unavailable } from "../../../core/errors";
import { hashSecret } from "../../../core/secrets";
import type { Report } from "../../../shared/report";
import { refusalOfKey } from "../deleted";
import { ingest, type KeyedReport } from "./ingest";

/** Reports that arrive within so many milliseconds are written in one transaction. */
const GATHER = 15;
/** Samples of one write: SQLite holds everybody up for as long as it lasts. */
const WRITTEN_AT_ONCE = 2000;
/** Beyond these an agent is told to come again: of samples at all, and of reports under one key. */
const MAX_SAMPLES = 100_000;
const MAX_OF_ONE = 4;

type Waiting = KeyedReport & PromiseWithResolvers<number>;

/** Takes reports in. Each is answered once it is stored, many with one write; `onChange` is called when there is something to tell. */
export const createReportBatcher = (deps: Pick<Deps, "db" | "clock" | "log" | "meters">, onChange: () => void) => {
  const { db, clock, log, meters } = deps;
  const waiting = new Map<string, Waiting[]>();
  let samplesWaiting = 0;
  let gathering = false;
  meters.samplesWaiting = () => samplesWaiting;

  const write = async (batch: Waiting[]): Promise<void> => {
    const now = clock.now();
    try {
      const { accepted, told } = await ingest({ db }, batch, now);
      if (told) onChange();
      for (const { keyHash, report, resolve, reject } of batch) {
        const stored = accepted.get(keyHash);
        if (stored === undefined) {
          reject(await refusalOfKey({ db }, keyHash));
          continue;
        }
        meters.reports++;
        meters.samples += report.samples.length;
        resolve(stored);
      }
    } catch (error) {
      log.error("reports could not be stored", { reports: batch.length, error: describeError(error) });
      for (const { reject } of batch) reject(unavailable());
    }
  };

  /** Of each key the first: a second report of the same moment waits for the next turn, behind the others. */
  const takeBatch = (): Waiting[] => {
    const batch: Waiting[] = [];
    let size = 0;
    for (const [keyHash, [first, ...others]] of [...waiting]) {
      if (!first || size >= WRITTEN_AT_ONCE) break;
      batch.push(first);
      size += first.report.samples.length;
      waiting.delete(keyHash);
      if (others.length > 0) waiting.set(keyHash, others);
    }
    samplesWaiting -= size;
    return batch;
  };

  const gather = async (): Promise<void> => {
    gathering = true;
    while (waiting.size > 0) {
      await clock.sleep(GATHER);
      await write(takeBatch());
    }
    gathering = false;
  };

  return {
    /**
     * Stores a report and gives how many of its samples are stored.
     * @throws {AppError} agent_deleted or unauthorized when no agent has the key, unavailable when nothing can be stored now
     */
    take: (key: string, report: Report): Promise<number> => {
      const keyHash = hashSecret(key);
      const before = waiting.get(keyHash) ?? [];
      if (samplesWaiting >= MAX_SAMPLES || before.length >= MAX_OF_ONE) throw unavailable();
      const entry: Waiting = { keyHash, report, ...Promise.withResolvers<number>() };
      waiting.set(keyHash, [...before, entry]);
      samplesWaiting += report.samples.length;
      if (!gathering) void gather();
      return entry.promise;
    },
  };
};
