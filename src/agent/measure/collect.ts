import type { Sample, UnreadableDisk, Usage } from "../../shared/report";
import type { Time } from "../time";
import { cpuPercent, networkRate } from "./rates";
import type { Platform, Reading } from "./reading";

/** Milliseconds after a start before a figure says anything about the machine rather than about the start. */
const SETTLING = 5000;
/** A machine that slept, or whose clock was set, is as good as started anew after so many intervals. */
const GAP = 3;

type Moment = { reading: Reading; now: number; monotonic: number };

const UNKNOWN: Usage = { total: 0, used: 0 };

const sum = (usages: Usage[]): Usage =>
  usages.reduce((all, { total, used }) => ({ total: all.total + total, used: all.used + used }), UNKNOWN);

/** One sample out of two readings. `settled`: whether enough has passed since the start for rates to mean something. */
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

/** The moment of the start, on a whole second, and the same one each time but for a clock that was set. */
const bootTimeOf = ({ now, reading: { uptime } }: Moment, before?: number): number | undefined => {
  if (uptime === undefined) return undefined;
  const found = Math.round((now - uptime * 1000) / 1000) * 1000;
  return before !== undefined && Math.abs(found - before) <= 2000 ? before : found;
};

type Collecting = {
  platform: Pick<Platform, "read">;
  time: Time;
  /** Seconds. */
  interval: number;
  signal: AbortSignal;
  keep: (sample: Sample) => void;
  /** Called at each reading with the disks that could not be read. */
  onUnreadable?: (disks: UnreadableDisk[]) => void;
};

/** Takes a sample every interval, the first one as soon as rates mean something, until the signal ends it. */
export const collect = async ({ platform, time, interval, signal, keep, onUnreadable }: Collecting): Promise<void> => {
  const length = interval * 1000;
  const look = async (): Promise<Moment> => {
    // The counters are read first, before disks that may take their time.
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
    if (before === null || passed > GAP * Math.max(length, SETTLING)) {
      settledAt = after.monotonic + SETTLING;
      due = after.monotonic + Math.min(SETTLING, length);
    } else {
      bootTime = bootTimeOf(after, bootTime);
      keep(sampleOf(before, after, after.monotonic >= settledAt, bootTime));
      // A beat that was missed is left out, so that samples keep their distance.
      due += length * Math.max(1, Math.ceil((after.monotonic - due) / length));
    }
    before = after;
    await time.sleep(Math.ceil(Math.max(0, due - time.monotonic())), signal);
  }
};
