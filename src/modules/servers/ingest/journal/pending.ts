import { type Database, databaseOf } from "../../../../db/database";
import type { agentStates } from "../../../../db/schema";
import { createMutex } from "../../../../lib/concurrency";
import { packOf, type SamplePack, type StoredSample } from "../../history/samples";

/** The changes of a report to the state of its agent, and to its definition. */
export type ReportedState = {
  keyHash: string;
  /** The agent's identity, as in its definition. */
  facts: {
    hostname: string;
    ipAddresses: string[];
    os: string;
    version: string;
    /** Absent in a journal of an earlier release. */
    agentVersion?: string;
  };
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

/** A report that is in the journal, but not in the state and the pack of its agent yet. */
export type PendingReport = { agentId: number; state: ReportedState; samples: StoredSample[] };

/** The values of a state that are held as JSON, which takes a fifth of the memory of the objects, and are parsed when they are read. */
const TEXTS = ["facts", "extra", "traffic"] as const;
type Texts = { facts: string; extra: string | null; traffic: string | null };

/** The reports of one agent as they are held in memory: the state of the latest, and the samples of all as bytes of a pack. */
export type Held = Omit<ReportedState, keyof Texts> & Texts & { agentId: number; samples: SamplePack | null };

const textOf = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

/** A report as it is held in memory. Its fields are listed, because an object without a rest of others is half as large. */
export const holdReport = ({ agentId, state, samples }: PendingReport): Held => ({
  agentId,
  keyHash: state.keyHash,
  expiresAt: state.expiresAt,
  interval: state.interval,
  reportedAt: state.reportedAt,
  sampledAt: state.sampledAt,
  cpu: state.cpu,
  memoryTotal: state.memoryTotal,
  memoryUsed: state.memoryUsed,
  diskTotal: state.diskTotal,
  diskUsed: state.diskUsed,
  networkRx: state.networkRx,
  networkTx: state.networkTx,
  facts: JSON.stringify(state.facts),
  extra: textOf(state.extra),
  traffic: textOf(state.traffic),
  samples: packOf(samples),
});

/** The state of held reports. */
export const stateOfHeld = ({ agentId: _, samples: __, facts, extra, traffic, ...rest }: Held): ReportedState => ({
  ...rest,
  facts: JSON.parse(facts),
  extra: JSON.parse(extra ?? "null"),
  traffic: JSON.parse(traffic ?? "null"),
});

const joinPacks = (first: SamplePack | null, second: SamplePack | null): SamplePack | null => {
  if (!first || !second) return first ?? second;
  const bytes = new Uint8Array(first.bytes.length + second.bytes.length);
  bytes.set(first.bytes);
  bytes.set(second.bytes, first.bytes.length);
  return { hour: Math.min(first.hour, second.hour), bytes };
};

/** Joins reports of one agent; the second ones are later. */
export const joinHeld = (first: Held | undefined, second: Held): Held =>
  first ? { ...second, samples: joinPacks(first.samples, second.samples) } : second;

/** The memory of an agent's reports besides its texts and samples, as measured (bytes). */
const BYTES_OF_ONE = 500;

/** About the bytes that reports take in memory. */
const bytesOf = (held: Held | undefined): number =>
  held
    ? BYTES_OF_ONE +
      held.facts.length +
      (held.extra?.length ?? 0) +
      (held.traffic?.length ?? 0) +
      (held.samples?.bytes.length ?? 0)
    : 0;

/** The pending reports of a database, whose changes run one at a time. Only SQLite's single process has some. */
export type Pending = {
  byServer: Map<number, Held>;
  /** About the bytes that they take in memory. */
  size: number;
  /** The last row of the journal that they include; zero when all rows are written to states and packs. */
  lastRow: number;
  /** The time since which reports wait. */
  since: number;
  exclusively: ReturnType<typeof createMutex>;
  /** Writes of all reports run one at a time: the rows that one of them deletes could otherwise be newer than it. */
  oneWriteOut: ReturnType<typeof createMutex>;
};

const databases = new WeakMap<object, Pending>();

export const pendingOf = (db: Pick<Database, "atomically">): Pending => {
  const existing = databases.get(databaseOf(db));
  if (existing) return existing;
  const created: Pending = {
    byServer: new Map(),
    size: 0,
    lastRow: 0,
    since: 0,
    exclusively: createMutex(),
    oneWriteOut: createMutex(),
  };
  databases.set(databaseOf(db), created);
  return created;
};

/** Adds reports: their state replaces the earlier one. */
export const addPending = (pending: Pending, added: Held): void => {
  const before = pending.byServer.get(added.agentId);
  const held = joinHeld(before, added);
  pending.byServer.set(added.agentId, held);
  pending.size += bytesOf(held) - bytesOf(before);
};

export const removePending = (pending: Pending, agentIds: readonly number[]): void => {
  for (const id of agentIds) {
    pending.size -= bytesOf(pending.byServer.get(id));
    pending.byServer.delete(id);
  }
};

const isText = (name: string): name is keyof Texts => (TEXTS as readonly string[]).includes(name);

/** The pending reports of an agent; undefined without any. */
export const heldOf = (db: Pick<Database, "atomically">, agentId: number): Held | undefined =>
  databases.get(databaseOf(db))?.byServer.get(agentId);

/** A stored state, or some of its columns, with the values of held reports. */
export const stateWith = <T extends object>(held: Held, state: T): T => {
  const names = Object.keys(state).filter((name) => name in held && name !== "keyHash");
  const read = (name: string) => (isText(name) ? JSON.parse(held[name] ?? "null") : held[name as keyof Held]);
  return { ...state, ...Object.fromEntries(names.map((name) => [name, read(name)])) };
};
