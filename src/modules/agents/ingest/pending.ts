import type { Database } from "../../../db/database";
import type { agentStates } from "../../../db/schema";
import { createMutex } from "../../../lib/concurrency";
import { packOf, type SamplePack, type StoredSample } from "../history/samples";

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

/** Reports of one agent, of which the second ones are later. */
export const joinHeld = (first: Held | undefined, second: Held): Held =>
  first ? { ...second, samples: joinPacks(first.samples, second.samples) } : second;

/** The bytes of an agent's reports in memory besides those of its texts and samples, as measured. */
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
  byAgent: Map<number, Held>;
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
  const known = databases.get(db);
  if (known) return known;
  const created: Pending = {
    byAgent: new Map(),
    size: 0,
    lastRow: 0,
    since: 0,
    exclusively: createMutex(),
    oneWriteOut: createMutex(),
  };
  databases.set(db, created);
  return created;
};

/** Adds reports: their state replaces that of earlier ones. */
export const addPending = (pending: Pending, added: Held): void => {
  const before = pending.byAgent.get(added.agentId);
  const held = joinHeld(before, added);
  pending.byAgent.set(added.agentId, held);
  pending.size += bytesOf(held) - bytesOf(before);
};

export const removePending = (pending: Pending, agentIds: readonly number[]): void => {
  for (const id of agentIds) {
    pending.size -= bytesOf(pending.byAgent.get(id));
    pending.byAgent.delete(id);
  }
};

const isText = (name: string): name is keyof Texts => (TEXTS as readonly string[]).includes(name);

const readHeld = (held: Held, name: string): unknown =>
  isText(name) ? JSON.parse(held[name] ?? "null") : held[name as keyof Held];

/** A stored state with what pending reports change in it. */
export const withPending = <T extends object>(db: Pick<Database, "atomically">, agentId: number, state: T): T => {
  const held = databases.get(db)?.byAgent.get(agentId);
  if (!held) return state;
  const names = Object.keys(state).filter((name) => name in held && name !== "keyHash");
  return { ...state, ...Object.fromEntries(names.map((name) => [name, readHeld(held, name)])) };
};

/** The samples of an agent's pending reports as bytes of a pack. */
export const pendingPack = (db: Pick<Database, "atomically">, agentId: number): Uint8Array | null =>
  databases.get(db)?.byAgent.get(agentId)?.samples?.bytes ?? null;
