/**
 * The reports of agents, from the request to the rows:
 *
 *   1. submit      report-batcher.ts, below  a report waits for its batch; beyond limits it is refused
 *   2. correct     clocks/                   times of a machine whose clock is wrong become times of the hub
 *   3. evaluate    alerts/                   which thresholds the newest samples cross
 *   4. ingest      ingest.ts                 one transaction for the batch: states and samples, or on SQLite the journal
 *   5. report      alerting/report.ts       what these and agents back online change, in the same transaction
 *   6. answer      report-batcher.ts, below  how many samples are stored, or why none is
 *
 * Before it: report-keys.ts authenticates the key, routes.ts validates the report. Beside it: offline.ts finds agents that
 * have stopped reporting or report again, journal/ writes the journal to states and packs, and reads it at the next
 * start, and history/ moves these to blocks, reads and purges them.
 */
import type { Deps } from "../../../core/deps";
import { describeError, rateLimited, unavailable } from "../../../core/errors";
import { createCoalescedRunner } from "../../../lib/concurrency";
import type { Report } from "../../../shared/agents/report";
import { publishServers } from "../live";
import { hasUrgent, ingest, type Stored, type SubmittedReport } from "./ingest";
import { type ReportingAgent, refusalOfKey } from "./report-keys";

/** Reports that arrive within this time are written in one transaction. */
const BATCH_WINDOW_MS = 15;
/**
 * A SQLite transaction of any size costs one or two pages, so reports without a status change are delayed up to this long
 * and written together. Each step checks for an urgent report.
 */
const LONGEST_WAIT_MS = 3000;
const WAIT_STEP_MS = 250;
const ENOUGH_SAMPLES = 200;
/** Samples of one transaction, because it blocks all other writes on SQLite. */
const MAX_BATCH_SAMPLES = 2000;
/**
 * Limits above which a report is refused and has to be sent again: waiting samples of all users and of one, and waiting
 * reports of one key.
 */
const MAX_SAMPLES = 100_000;
const MAX_SAMPLES_PER_USER = MAX_SAMPLES / 4;
const MAX_REPORTS_PER_KEY = 4;
/** Seconds until a report may be repeated that exceeds its user's share. */
const RETRY_AFTER = 5;

type Waiting = SubmittedReport & PromiseWithResolvers<Stored> & { userId: number };

/** Stores reports in batches. Each is answered once it is stored; `onChange` is called when events were written. */
export const createReportBatcher = (
  deps: Pick<Deps, "db" | "clock" | "log" | "meters" | "live">,
  onChange: () => void,
) => {
  const { db, clock, log, meters } = deps;
  const waiting = new Map<string, Waiting[]>();
  const samplesOfUser = new Map<number, number>();
  let samplesWaiting = 0;
  meters.samplesWaiting = () => samplesWaiting;

  const countSamples = (userId: number, samples: number): void => {
    samplesWaiting += samples;
    const ofUser = (samplesOfUser.get(userId) ?? 0) + samples;
    if (ofUser > 0) samplesOfUser.set(userId, ofUser);
    else samplesOfUser.delete(userId);
  };

  const write = async (batch: Waiting[]): Promise<void> => {
    const now = clock.now();
    try {
      const { stored, eventsWritten } = await ingest(deps, batch, now);
      if (eventsWritten) onChange();
      void publishServers(deps, { keyHashes: [...stored.keys()] });
      for (const { keyHash, report, resolve, reject } of batch) {
        const outcome = stored.get(keyHash);
        if (outcome === undefined) {
          reject(await refusalOfKey({ db }, keyHash));
          continue;
        }
        meters.reports++;
        meters.samples += report.samples.length;
        resolve(outcome);
      }
    } catch (error) {
      log.error("reports could not be stored", { reports: batch.length, error: describeError(error) });
      for (const { reject } of batch) reject(unavailable());
    }
  };

  /** The first report of each key: a second one waits for the next batch, behind other keys. */
  const takeBatch = (): Waiting[] => {
    const batch: Waiting[] = [];
    let size = 0;
    for (const [keyHash, [first, ...others]] of [...waiting]) {
      if (!first || size >= MAX_BATCH_SAMPLES) break;
      batch.push(first);
      size += first.report.samples.length;
      countSamples(first.userId, -first.report.samples.length);
      waiting.delete(keyHash);
      if (others.length > 0) waiting.set(keyHash, others);
    }
    return batch;
  };

  /** Waits for more reports while none of those that wait is urgent. */
  const waitForMore = async (): Promise<void> => {
    const seen = new Set<Waiting>();
    for (let waited = 0; waited < LONGEST_WAIT_MS && samplesWaiting < ENOUGH_SAMPLES; waited += WAIT_STEP_MS) {
      const arrived = [...waiting.values()].flatMap(([first]) => (first && !seen.has(first) ? [first] : []));
      if (arrived.length > 0 && (await hasUrgent({ db }, arrived, clock.now()))) return;
      for (const one of arrived) seen.add(one);
      await clock.sleep(WAIT_STEP_MS);
    }
  };

  const writeWaiting = createCoalescedRunner(async () => {
    while (waiting.size > 0) {
      if (samplesWaiting < MAX_BATCH_SAMPLES) await clock.sleep(BATCH_WINDOW_MS);
      // A failure to read is one to write, which is answered.
      if (db.engine === "sqlite") await waitForMore().catch(() => {});
      await write(takeBatch());
    }
  });

  /**
   * Refuses a report before it is read, while too much waits already.
   * @throws {AppError} unavailable, rate_limited where it is the user's own
   */
  const assertRoom = ({ keyHash, userId }: ReportingAgent): void => {
    if (samplesWaiting >= MAX_SAMPLES) throw unavailable();
    if ((samplesOfUser.get(userId) ?? 0) >= MAX_SAMPLES_PER_USER) throw rateLimited(RETRY_AFTER);
    if ((waiting.get(keyHash)?.length ?? 0) >= MAX_REPORTS_PER_KEY) throw unavailable();
  };

  return {
    assertRoom,
    /**
     * Stores a report of an agent, and returns how many of its samples are stored.
     * @throws {AppError} agent_deleted or unauthorized when no agent has the key, unavailable when nothing can be stored now,
     * rate_limited while too many samples of the user wait
     */
    submit: (agent: ReportingAgent, report: Report): Promise<Stored> => {
      assertRoom(agent);
      const { keyHash, userId } = agent;
      const before = waiting.get(keyHash) ?? [];
      const entry: Waiting = { keyHash, report, userId, receivedAt: clock.now(), ...Promise.withResolvers<Stored>() };
      waiting.set(keyHash, [...before, entry]);
      countSamples(userId, report.samples.length);
      void writeWaiting();
      return entry.promise;
    },
  };
};
