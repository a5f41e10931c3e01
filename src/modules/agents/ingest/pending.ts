import type { Database } from "../../../db/database";
import type { agentStates } from "../../../db/schema";
import { createMutex } from "../../../lib/concurrency";
import type { StoredSample } from "../history/samples";

/** What a report changes in the state of its agent, and in its definition. */
export type ReportedState = {
  keyHash: string;
  /** Identity: that of the agent's definition. */
  facts: { hostname: string; ipAddresses: string[]; os: string; version: string };
} & Pick<
  typeof agentStates.$inferSelect,
  | "expiresAt"
  | "interval"
  | "reportedAt"
  | "sampledAt"
  | "cpu"
  | "memoryTotal"
  | "memoryUsed"
  | "diskTotal"
  | "diskUsed"
  | "networkRx"
  | "networkTx"
  | "extra"
  | "traffic"
>;

/** Reports of one agent that are in the journal, but not in its state and its pack yet. */
export type PendingReports = { agentId: number; state: ReportedState; samples: StoredSample[] };

/** The characters that the state and the samples of a report have in the journal: about a fifth of the bytes in memory. */
export type ReportSize = { state: number; samples: number };

type Held = PendingReports & { size: ReportSize };

const totalOf = (held: Held | undefined): number => (held ? held.size.state + held.size.samples : 0);

/** The pending reports of a database, whose changes run one at a time. Only SQLite's single process has some. */
export type Pending = {
  byAgent: Map<number, Held>;
  /** The number of their samples. */
  samples: number;
  /** The number of the characters of what is held. */
  size: number;
  /** The last row of the journal that they include. */
  lastRow: number;
  /** When all of them were last written to states and packs. */
  writtenAt: number;
  exclusively: ReturnType<typeof createMutex>;
};

const databases = new WeakMap<object, Pending>();

export const pendingOf = (db: Pick<Database, "atomically">): Pending => {
  const known = databases.get(db);
  if (known) return known;
  const created: Pending = {
    byAgent: new Map(),
    samples: 0,
    size: 0,
    lastRow: 0,
    writtenAt: 0,
    exclusively: createMutex(),
  };
  databases.set(db, created);
  return created;
};

/** Adds a report: its state replaces that of an earlier one. */
export const addPending = (pending: Pending, { agentId, state, samples }: PendingReports, size: ReportSize): void => {
  const before = pending.byAgent.get(agentId);
  const all = [...(before?.samples ?? []), ...samples];
  const held: Held = {
    ...{ agentId, state, samples: all },
    size: { state: size.state, samples: (before?.size.samples ?? 0) + size.samples },
  };
  pending.byAgent.set(agentId, held);
  pending.samples += samples.length;
  pending.size += totalOf(held) - totalOf(before);
};

export const removePending = (pending: Pending, agentIds: readonly number[]): void => {
  for (const id of agentIds) {
    const held = pending.byAgent.get(id);
    pending.samples -= held?.samples.length ?? 0;
    pending.size -= totalOf(held);
    pending.byAgent.delete(id);
  }
};

/** A stored state with what pending reports change in it. */
export const withPending = <T extends object>(db: Pick<Database, "atomically">, agentId: number, state: T): T => {
  const found = databases.get(db)?.byAgent.get(agentId)?.state;
  if (!found) return state;
  const names = Object.keys(state).filter((name) => name in found && name !== "keyHash");
  return { ...state, ...Object.fromEntries(names.map((name) => [name, found[name as keyof ReportedState]])) };
};

/** The samples of an agent's pending reports, in the order in which they were stored. */
export const pendingSamples = (db: Pick<Database, "atomically">, agentId: number): readonly StoredSample[] =>
  databases.get(db)?.byAgent.get(agentId)?.samples ?? [];
