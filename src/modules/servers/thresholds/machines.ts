/**
 * Whether two machines report with one key, as a copy of a virtual machine does: their reports alternate, A B A B. A machine
 * that was restarted, renamed or reinstalled reports as a new one from then on, and never again as the old one.
 */
import type { Report, Sample } from "../../../shared/agents/report";
import type { Alarm, AlarmState, KnownMachine, Machines } from "../../../shared/agents/thresholds";
import { HOUR, MINUTE, SECOND } from "../../../shared/limits";
import { type Change, changesOf, keyOf } from "./figures";

/** Machines of one key that are told apart. */
const MAX_SEEN = 4;
/** How often a machine has to report again after another took its place. Restoring a snapshot does it once. */
const RETURNS = 2;

const PLACE = { metric: "shared_key", subject: "" } as const;

/** Whether a state is about the machines of a key. */
export const isOfMachines = ({ metric }: AlarmState): boolean => metric === "machines" || metric === PLACE.metric;

/** For how long machines are remembered that no longer report. */
const windowOf = (interval: number): number => Math.max(HOUR, 6 * interval * SECOND);

/** The machine of a report. */
export const machineOfReport = ({ hostname, ip_addresses: [address] }: Report, { traffic }: Sample): KnownMachine => ({
  hostname,
  ...(traffic && { boot: traffic.boot }),
  ...(address !== undefined && { address }),
});

/** Whether two reports may be of one machine: a report without counters does not say which start of it. */
export const isSameMachine = (one: KnownMachine, other: KnownMachine): boolean =>
  one.hostname === other.hostname && (one.boot === undefined || other.boot === undefined || one.boot === other.boot);

/** Whether a report is current. A report that was delayed while the hub was away may be of an earlier start. */
export const isCurrent = (sampledAt: number, interval: number, now: number): boolean =>
  Math.abs(now - sampledAt) <= Math.max(10 * MINUTE, 3 * interval * SECOND);

/** The names of the latest two machines, with their addresses where they have one name. */
const namesOf = ([one, other]: readonly KnownMachine[]): string[] => {
  if (!one || !other) return [];
  const isEqual = one.hostname === other.hostname;
  const names = [one, other].map(({ hostname, address }) =>
    isEqual && address !== undefined ? `${hostname} (${address})` : hostname,
  );
  return names.toSorted();
};

type Input = {
  /** The machines of this and of the previous report. */
  machine: KnownMachine;
  previous: KnownMachine;
  interval: number;
  now: number;
};

/** The state of machines after a report, and whether an alert about them begins or ends. */
export const evaluateMachines = (
  before: readonly AlarmState[],
  { machine, previous, interval, now }: Input,
): { alarms: AlarmState[]; changes: Change[] } => {
  const memory = before.find((state) => state.metric === "machines");
  const alarm = before.find((state): state is Alarm => state.metric === "shared_key");
  const seen = memory?.seen ?? [previous];
  const isOther = !seen[0] || !isSameMachine(seen[0], machine);
  if (!isOther && !memory) return { alarms: [], changes: [] };
  const isOver = !isOther && memory !== undefined && Math.abs(now - memory.changedAt) >= windowOf(interval);
  const returns = (memory?.returns ?? []).filter((at) => Math.abs(now - at) < windowOf(interval));
  const next: Machines | undefined = isOther
    ? {
        metric: "machines",
        seen: [machine, ...seen.filter((one) => !isSameMachine(one, machine))].slice(0, MAX_SEEN),
        changedAt: now,
        returns: seen.some((one) => isSameMachine(one, machine)) ? [...returns, now].slice(-RETURNS) : returns,
      }
    : isOver
      ? undefined
      : memory;
  const isShared = next !== undefined && (alarm !== undefined || next.returns.length >= RETURNS);
  const after: Alarm | undefined = isShared ? { ...PLACE, alerting: true, since: null } : undefined;
  const events = new Map([[keyOf(PLACE), { figure: null, threshold: null, machines: namesOf(next?.seen ?? []) }]]);
  const mapOf = (one: Alarm | undefined) => new Map<string, Alarm>(one ? [[keyOf(one), one]] : []);
  return {
    alarms: [after ?? [], next ?? []].flat(),
    changes: changesOf(mapOf(alarm), mapOf(after), events),
  };
};
