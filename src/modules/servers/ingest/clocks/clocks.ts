/**
 * The clocks of machines. A report carries the time of its machine, so that the times of samples can be corrected where that
 * clock is wrong; docs/decisions/clocks-of-servers.md explains the rules.
 */
import type { Deps } from "../../../../core/deps";
import { agentStates as states } from "../../../../db/schema";
import { isOneOf } from "../../../../db/sql";
import { isoTime } from "../../../../lib/time";
import type { MachineClock, Report, Sample } from "../../../../shared/agents/report";
import { MINUTE, SECOND } from "../../../../shared/limits";
import { currentState } from "../states";

/** Above the time that a report may take on its way: agents give up after 10 seconds. */
const TOLERANCE = 15 * SECOND;

/** The least change of a difference that drift does not explain, because a difference within the tolerance is not known exactly. */
const LEAST_STEP = 2 * TOLERANCE;

/** A report without its machine's time comes from a clock that is ahead if its newest sample is later than this. */
export const FUTURE = 5 * MINUTE;

/** A report with the hash of its key, and when it arrived. */
export type KeyedReport = { keyHash: string; report: Report; receivedAt?: number };

/** A report with times of the hub. */
export type TimedReport = KeyedReport & {
  /** Undefined while the machine's clock agrees with the hub's. */
  clock: MachineClock | undefined;
  /** By how many milliseconds its samples may be ahead of the hub's clock, because that one was set back. */
  lead: number;
};

type Before = { clock: MachineClock | undefined; bootTime: number | undefined };

const parse = (time: string | undefined): number | undefined => (time === undefined ? undefined : Date.parse(time));
const differ = (one: number, other: number, most = TOLERANCE): boolean => Math.abs(one - other) > most;

/** By how many milliseconds the machine's clock is ahead; at least, if the report does not say its time. */
const offsetOf = ({ report, receivedAt }: KeyedReport, now: number, known = 0): number => {
  const sentAt = parse(report.sent_at);
  if (sentAt !== undefined) return sentAt - (receivedAt ?? now);
  const ahead = Math.max(...report.samples.map(({ at }) => Date.parse(at))) - now;
  return ahead > FUTURE ? Math.max(ahead, known) : 0;
};

/**
 * By how many milliseconds to move the samples of a machine whose clock differs by `offset` from the hub's. The same
 * number for a repeated report, so that its samples are recognized.
 */
const shiftOf = (offset: number, bootTime: number | undefined, before: Before | undefined): number => {
  const { offset: offsetBefore, shift } = before?.clock ?? { offset: 0, shift: 0 };
  const isSteady = bootTime !== undefined && before?.bootTime !== undefined && !differ(bootTime, before.bootTime);
  // The start of the machine has the same time as before, so its clock was not set: the hub's was.
  if (isSteady && (differ(offset, offsetBefore, LEAST_STEP) || differ(offsetBefore, shift))) return shift;
  return before?.clock && !differ(offset, shift) ? shift : offset;
};

/** A sample with times of the hub. Those from before the clock was set get the time that it would have shown. */
const shiftSample = (sample: Sample, { boot, boot_time }: Report, shift: number): Sample => {
  const { at, boot_time: bootTime, traffic } = sample;
  const isSameStart = boot !== undefined && boot === traffic?.boot && boot_time && bootTime && boot_time !== bootTime;
  const set = isSameStart ? Date.parse(boot_time) - Date.parse(bootTime) : 0;
  const move = (differ(set, 0) ? set : 0) - shift;
  if (move === 0) return sample;
  const started = Date.parse(bootTime ?? at) + move;
  return {
    ...sample,
    at: isoTime(Date.parse(at) + move),
    // A machine whose time is years off may have a start that no longer makes sense.
    ...(bootTime && { boot_time: started >= 0 ? isoTime(started) : undefined }),
  };
};

const bootTimeOf = ({ boot_time, samples }: Report): number | undefined =>
  parse(boot_time ?? samples.at(-1)?.boot_time);

const timed = (keyed: KeyedReport, before: Before | undefined, now: number): TimedReport => {
  const { report } = keyed;
  const offset = offsetOf(keyed, now, before?.clock?.offset);
  const agrees = !differ(offset, 0);
  const shift = agrees ? 0 : shiftOf(offset, bootTimeOf(report), before);
  const samples = report.samples.map((sample) => shiftSample(sample, report, shift));
  return {
    ...keyed,
    report: { ...report, samples },
    clock: agrees ? undefined : { offset, shift },
    lead: agrees ? 0 : Math.max(0, offset - shift),
  };
};

/** The clocks of machines by their latest reports. */
const readBefore = async ({ db }: Pick<Deps, "db">, keyHashes: string[]): Promise<Map<string, Before>> => {
  if (keyHashes.length === 0) return new Map();
  const { keyHash, agentId, extra } = states;
  const rows = await db.select({ keyHash, agentId, extra }).from(states).where(isOneOf(keyHash, keyHashes));
  return new Map(
    rows.map((row) => {
      const { extra } = currentState(db, row.agentId, { extra: row.extra });
      const bootTime = parse(extra?.boot_time);
      const shift = extra?.clock?.shift ?? 0;
      return [row.keyHash, { clock: extra?.clock, bootTime: bootTime === undefined ? undefined : bootTime + shift }];
    }),
  );
};

/** Converts the times of reports to the hub's clock. Machines whose clocks agree with it cost no query. */
export const withHubTimes = async (
  deps: Pick<Deps, "db">,
  reports: readonly KeyedReport[],
  now: number,
): Promise<TimedReport[]> => {
  const off = reports.filter((keyed) => differ(offsetOf(keyed, now), 0));
  const before = await readBefore(
    deps,
    off.map(({ keyHash }) => keyHash),
  );
  return reports.map((keyed) => timed(keyed, before.get(keyed.keyHash), now));
};

const LOGGED_AT_MOST = 10_000;
/** The offsets that were logged, by agent. */
const logged = new WeakMap<object, Map<number, number>>();

/** Logs each change of a machine's clock once. */
export const logClock = (
  { db, log }: Pick<Deps, "db" | "log">,
  agent: number,
  clock: MachineClock | undefined,
): void => {
  const offsets = logged.get(db) ?? new Map<number, number>();
  logged.set(db, offsets);
  const before = offsets.get(agent);
  if (!clock) {
    if (offsets.delete(agent)) log.info("the clock of a server agrees with the hub's again", { agent });
    return;
  }
  if (before !== undefined && !differ(clock.offset, before)) return;
  if (offsets.size >= LOGGED_AT_MOST) offsets.clear();
  offsets.set(agent, clock.offset);
  const seconds = Math.round(clock.offset / SECOND);
  if (differ(clock.offset, clock.shift))
    log.warn("the hub's clock was set, or is wrong: that of a server now differs", { agent, seconds_ahead: seconds });
  else
    log.warn("the clock of a server is wrong, its samples are stored at the hub's time", {
      agent,
      seconds_ahead: seconds,
    });
};
