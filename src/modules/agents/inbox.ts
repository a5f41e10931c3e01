import type { Deps } from "../../deps";
import { unauthorized, unavailable } from "../../errors";
import type { Report } from "../../shared/report";
import { hashSecret } from "./enrolment";
import { acceptedOf, ingestReports, type KeyedReport } from "./ingest";

/** Reports that arrive within so many milliseconds are written in one transaction. */
const GATHER = 15;
const MAX_WAITING = 20_000;

type Waiting = KeyedReport & PromiseWithResolvers<number>;

/** Takes reports in. Each is answered once it is stored, many with one write. */
export const createInbox = ({ db, clock, log }: Pick<Deps, "db" | "clock" | "log">) => {
  let waiting: Waiting[] = [];
  let gathering = false;

  const write = async (batch: Waiting[]): Promise<void> => {
    const now = clock.now();
    try {
      const [known] = await db.atomically(() => ingestReports(batch, now));
      const keys = new Set((known as { key_hash: string }[]).map(({ key_hash }) => key_hash));
      for (const { keyHash, report, resolve, reject } of batch) {
        if (keys.has(keyHash)) resolve(acceptedOf(report, now));
        else reject(unauthorized());
      }
    } catch (error) {
      log.error("reports could not be stored", { reports: batch.length, error: (error as Error).name });
      for (const { reject } of batch) reject(unavailable());
    }
  };

  const gather = async (): Promise<void> => {
    gathering = true;
    while (waiting.length > 0) {
      await clock.sleep(GATHER);
      // Of each key the first: a second report of the same moment waits for the next turn.
      const batch = new Map<string, Waiting>();
      const later: Waiting[] = [];
      for (const report of waiting) {
        if (batch.has(report.keyHash)) later.push(report);
        else batch.set(report.keyHash, report);
      }
      waiting = later;
      await write([...batch.values()]);
    }
    gathering = false;
  };

  return {
    /**
     * Stores a report and gives how many of its samples were accepted.
     * @throws {AppError} unauthorized when the key is nobody's, unavailable when nothing can be stored now
     */
    take: (key: string, report: Report): Promise<number> => {
      if (waiting.length >= MAX_WAITING) throw unavailable();
      const entry: Waiting = { keyHash: hashSecret(key), report, ...Promise.withResolvers<number>() };
      waiting.push(entry);
      if (!gathering) void gather();
      return entry.promise;
    },
  };
};
