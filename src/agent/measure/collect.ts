import type { Sample, UnreadableDisk, Usage } from "../../shared/report";
import type { Logger } from "../output";
import type { Time } from "../time";
import { cpuPercent, networkRate } from "./rates";
import type { Platform, Reading } from "./reading";

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

type Moment = { reading: Reading; now: number; monotonic: number };

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
  };
};

/** Boot time on a whole second. It stays the same between samples unless the clock was set. */
const bootTimeOf = ({ now, reading: { uptime } }: Moment, before?: number): number | undefined => {
  if (uptime === undefined) return undefined;
  const found = Math.round((now - uptime * 1000) / 1000) * 1000;
  return before !== undefined && Math.abs(found - before) <= 2000 ? before : found;
};

type CollectOptions = {
  platform: Pick<Platform, "read">;
  time: Time;
  /** Seconds. */
  interval: number;
  signal: AbortSignal;
  keep: (sample: Sample) => void;
  /** Called at each reading with the disks that cannot be read. */
  onUnreadable?: (disks: UnreadableDisk[]) => void;
};

/** Takes a sample every interval, the first as soon as rates are meaningful, until the signal aborts. */
export const collect = async ({
  platform,
  time,
  interval,
  signal,
  keep,
  onUnreadable,
}: CollectOptions): Promise<void> => {
  const length = interval * 1000;
  const look = async (): Promise<Moment> => {
    // Timestamps are taken before reading disks, which may be slow.
    const [now, monotonic] = [time.now(), time.monotonic()];
    return { reading: await platform.read(), now, monotonic };
  };
  let [before, settledAt, due, bootTime] = [null as Moment | null, 0, 0, undefined as number | undefined];
  while (!signal.aborted) {
    const after = await look();
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
