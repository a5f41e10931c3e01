import type { Sample, UnreadableDisk, Usage } from "../shared/agents/report";
import { type Figures, fieldsOf, type RawFigures } from "./figures/registry";
import type { Counters, CpuTimes, CpuUsage, Platform, Reading } from "./platform/platform";
import { percentOf, rateOf } from "./platform/rates";
import type { Logger, Time } from "./runtime";

/** Growth of counters, at least zero: idle and iowait may decrease slightly. */
const growth = (before: number[], after: number[]): number =>
  after.reduce((sum, value, index) => sum + Math.max(0, value - (before[index] ?? value)), 0);

const timesPercent = (before: CpuTimes[], after: CpuTimes[]): number | null => {
  let [busy, idle] = [0, 0];
  // A processor that was added or removed between the readings is in only one of them.
  for (const [index, times] of after.entries()) {
    const earlier = before[index];
    if (!earlier) continue;
    busy += growth(earlier.busy, times.busy);
    idle += growth(earlier.idle, times.idle);
  }
  return busy + idle > 0 ? (100 * busy) / (busy + idle) : null;
};

const usagePercent = (before: CpuUsage, after: CpuUsage, seconds: number): number | null => {
  const used = after.microseconds - before.microseconds;
  return used >= 0 ? (100 * used) / (seconds * 1e6 * after.processors) : null;
};

/** CPU usage between two readings in percent of all processors, 0–100; null when they cannot be compared. */
export const cpuPercent = (before: Reading["cpu"], after: Reading["cpu"], seconds: number): number | null => {
  if (!before || !after || seconds <= 0) return null;
  const percent =
    Array.isArray(before) && Array.isArray(after)
      ? timesPercent(before, after)
      : Array.isArray(before) || Array.isArray(after)
        ? null
        : usagePercent(before, after, seconds);
  return percent === null ? null : percentOf(percent, 100);
};

/**
 * Network rate in KB/s between two readings, over the interfaces in both; null if no interface is in both or a counter
 * decreased.
 */
export const networkRate = (
  before: Record<string, Counters>,
  after: Record<string, Counters>,
  seconds: number,
): { rx: number; tx: number } | null => {
  const pairs = Object.entries(after).flatMap(([name, counters]) => {
    const earlier = before[name];
    return earlier ? [{ rx: counters.rx - earlier.rx, tx: counters.tx - earlier.tx }] : [];
  });
  if (seconds <= 0 || pairs.length === 0 || pairs.some(({ rx, tx }) => rx < 0 || tx < 0)) return null;
  const rate = (way: "rx" | "tx") => rateOf(pairs.reduce((sum, pair) => sum + pair[way], 0) / 1024, seconds);
  return { rx: rate("rx"), tx: rate("tx") };
};

const REASONS: Record<string, string> = {
  permission: "a folder above it is closed to this program's user; give that user the right to enter it",
  timeout: "it does not answer within 3 s",
};

const lineOf = ({ mount, reason }: UnreadableDisk): string => `${mount} (${REASONS[reason] ?? reason})`;

/** Remembers which disks cannot be read, and logs each change once. */
export const watchUnreadable = (log: Logger) => {
  let disks: UnreadableDisk[] = [];
  let lines = new Set<string>();
  return {
    get disks() {
      return disks;
    },
    set: (found: UnreadableDisk[]): void => {
      disks = found;
      const now = new Set(found.map(lineOf));
      const [fresh, gone] = [now.difference(lines), lines.difference(now)];
      if (fresh.size > 0)
        log(`Cannot read how full these disks are: ${[...fresh].join(", ")}. The others are reported.`);
      if (gone.size > 0 && now.size === 0) log("All disks can be read again.");
      lines = now;
    },
  };
};

/** Milliseconds after start before rates are meaningful. */
const SETTLE_MS = 5000;
/** After a gap of this many intervals (sleep, clock change) rates settle again as after a start. */
const GAP = 3;

/** A reading and its time on both clocks (ms). */
type Moment = { reading: Reading; figures: RawFigures; now: number; monotonic: number };

type Source = { platform: Pick<Platform, "read">; figures: Pick<Figures, "read">; time: Time };

/** Reads everything that a sample is made of. */
export const readMoment = async ({ platform, figures, time }: Source): Promise<Moment> => {
  // Timestamps are taken before reading disks, which may be slow.
  const [now, monotonic] = [time.now(), time.monotonic()];
  const reading = await platform.read();
  return { reading, figures: await figures.read(reading), now, monotonic };
};

const UNKNOWN: Usage = { total: 0, used: 0 };

const sum = (usages: Usage[]): Usage =>
  usages.reduce((all, { total, used }) => ({ total: all.total + total, used: all.used + used }), UNKNOWN);

/** Makes a sample from two readings. `settled`: whether rates are meaningful yet. */
export const sampleOf = (before: Moment, after: Moment, settled: boolean, bootTime?: number): Sample => {
  const { memory, swap, disks, load, network, cpu } = after.reading;
  const seconds = (after.monotonic - before.monotonic) / 1000;
  return {
    at: new Date(after.now).toISOString(),
    cpu: settled ? cpuPercent(before.reading.cpu, cpu, seconds) : null,
    memory: memory ?? UNKNOWN,
    disk: sum(disks),
    disks,
    network: settled ? networkRate(before.reading.network, network, seconds) : null,
    ...(swap ? { swap } : {}),
    ...(load ? { load } : {}),
    ...(bootTime === undefined ? {} : { boot_time: new Date(bootTime).toISOString() }),
    ...fieldsOf(after.figures, settled ? before.figures : null, seconds),
  };
};

/** Boot time on a whole second. It stays the same between samples unless the clock was set. */
const bootTimeOf = ({ now, reading: { uptime } }: Moment, before?: number): number | undefined => {
  if (uptime === undefined) return undefined;
  const bootTime = Math.round((now - uptime * 1000) / 1000) * 1000;
  return before !== undefined && Math.abs(bootTime - before) <= 2000 ? before : bootTime;
};

type CollectOptions = Source & {
  /** Seconds. */
  interval: number;
  signal: AbortSignal;
  keep: (sample: Sample) => void;
  /** Called at each reading with the disks that cannot be read. */
  onUnreadable?: (disks: UnreadableDisk[]) => void;
};

/** Takes a sample every interval, the first as soon as rates are meaningful, until the signal aborts. */
export const collect = async ({ interval, signal, keep, onUnreadable, ...source }: CollectOptions): Promise<void> => {
  const length = interval * 1000;
  const { time } = source;
  let [before, settledAt, due, bootTime] = [null as Moment | null, 0, 0, undefined as number | undefined];
  while (!signal.aborted) {
    const after = await readMoment(source);
    onUnreadable?.(after.reading.unreadable);
    const passed = before
      ? Math.max(after.now - before.now, after.monotonic - before.monotonic)
      : Number.POSITIVE_INFINITY;
    if (before === null || passed > GAP * Math.max(length, SETTLE_MS)) {
      settledAt = after.monotonic + SETTLE_MS;
      due = after.monotonic + Math.min(SETTLE_MS, length);
    } else {
      bootTime = bootTimeOf(after, bootTime);
      keep(sampleOf(before, after, after.monotonic >= settledAt, bootTime));
      // Missed intervals are skipped so that samples stay evenly spaced.
      due += length * Math.max(1, Math.ceil((after.monotonic - due) / length));
    }
    before = after;
    await time.sleep(Math.ceil(Math.max(0, due - time.monotonic())), signal);
  }
};
