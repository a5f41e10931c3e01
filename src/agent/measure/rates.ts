import type { Counters, CpuTimes, CpuUsage, Reading } from "./reading";

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Growth of counters. One that decreased counts as zero: idle and iowait are known to decrease slightly. */
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
  return percent === null ? null : round(Math.min(100, Math.max(0, percent)), 2);
};

/** Network rate in KB/s between two readings, over the interfaces in both; null when there is none or a counter decreased. */
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
  const rate = (way: "rx" | "tx") => round(pairs.reduce((sum, pair) => sum + pair[way], 0) / seconds / 1024, 3);
  return { rx: rate("rx"), tx: rate("tx") };
};
