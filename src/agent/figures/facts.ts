import type { MachineFacts } from "../../shared/agents/report";
import type { Time } from "../runtime";
import type { Fact, Machine } from "./figure";

/** How long a report waits for facts (ms). Later facts are sent with the next report. */
const WAIT_MS = 5000;
/** The oldest reading that stands in for a fact that does not answer (ms). */
const STALE_MS = 60_000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

type Opened = {
  name: string;
  every: number;
  read: () => MachineFacts | Promise<MachineFacts>;
  found: MachineFacts;
  /** Monotonic milliseconds; undefined before the first reading. */
  readAt?: number;
  pending?: Promise<void>;
};

/**
 * Reads the facts of the machine, each at its own interval. A failed fact is absent, and an unanswered one is not read again
 * until it answers.
 */
export const createFacts = (facts: Record<string, Fact>, machine: Machine, time: Time) => {
  const opened = Object.entries(facts).flatMap(([name, { every, open }]): Opened[] => {
    const read = open(machine);
    return read ? [{ name, every, read, found: {} }] : [];
  });
  const failed = new Set<string>();
  const refresh = async (fact: Opened): Promise<void> => {
    try {
      fact.found = await fact.read();
      failed.delete(fact.name);
    } catch (error) {
      fact.found = {};
      if (!failed.has(fact.name))
        machine.log(`Cannot read ${fact.name}: ${messageOf(error)}. The other figures are reported.`);
      failed.add(fact.name);
    }
  };
  const refreshOnce = (fact: Opened): Promise<void> => {
    // A report that is sent a little early does not have to wait for the next.
    const due = fact.readAt === undefined || time.monotonic() - fact.readAt >= fact.every * 900;
    if (due && !fact.pending) {
      fact.readAt = time.monotonic();
      fact.pending = refresh(fact).finally(() => {
        fact.pending = undefined;
      });
    }
    return fact.pending ?? Promise.resolve();
  };
  /** The facts to report. Nothing is read while the signal is aborted. */
  return async (signal: AbortSignal): Promise<MachineFacts> => {
    if (!signal.aborted) {
      const answered = new AbortController();
      const all = Promise.all(opened.map(refreshOnce)).then(() => answered.abort());
      const stop = () => answered.abort();
      signal.addEventListener("abort", stop);
      await Promise.race([all, time.sleep(WAIT_MS, answered.signal)]);
      signal.removeEventListener("abort", stop);
    }
    for (const fact of opened) if (fact.pending && time.monotonic() - (fact.readAt ?? 0) >= STALE_MS) fact.found = {};
    return Object.assign({}, ...opened.map(({ found }) => found));
  };
};
