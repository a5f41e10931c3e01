import { type DiskActivity, REPORT_LIMITS } from "../../../shared/agents/report";
import type { Files } from "../../platform/proc";
import { percentOf, rateOf, round } from "../../platform/rates";
import { nameOf, type SampleFigure } from "../figure";

/** Counters of one device: requests, sectors of 512 bytes, and milliseconds. */
type Counters = { requests: number; waited: number; read: number; written: number; busy: number };

const SECTOR = 512;
/** Devices in memory or in a file, whose requests a disk answers as well, and drives for media. */
const LEFT_OUT = /^(loop|ram|zram|fd|sr)\d|^mmcblk\d+(boot|rpmb)/;

/** Parses /proc/diskstats. https://docs.kernel.org/admin-guide/iostats.html */
export const parseDiskstats = (text: string, isWhole: (device: string) => boolean): Map<string, Counters> => {
  const counters = new Map<string, Counters>();
  for (const line of text.split("\n")) {
    const [, , device = "", ...fields] = line.trim().split(/\s+/);
    const [reads = 0, , read = 0, readTime = 0, writes = 0, , written = 0, writeTime = 0, , busy = 0] =
      fields.map(Number);
    // Most of the devices that a kernel makes in advance, as nbd0 to nbd15, are never used.
    if (fields.length < 10 || reads + writes === 0 || LEFT_OUT.test(device) || !isWhole(device)) continue;
    counters.set(device, { requests: reads + writes, waited: readTime + writeTime, read, written, busy });
  }
  return counters;
};

const activityOf = (device: string, after: Counters, before: Counters, seconds: number): DiskActivity | null => {
  const growth = (name: keyof Counters) => after[name] - before[name];
  const all = [growth("requests"), growth("waited"), growth("read"), growth("written"), growth("busy")];
  // Some of the counters have 32 bits and return to zero.
  if (all.some((value) => !(value >= 0))) return null;
  const requests = growth("requests");
  return {
    device,
    read: rateOf((growth("read") * SECTOR) / 1024, seconds),
    write: rateOf((growth("written") * SECTOR) / 1024, seconds),
    busy: percentOf(growth("busy"), seconds * 1000),
    latency: requests > 0 ? round(growth("waited") / requests, 2) : null,
  };
};

/** The name that a person gave to a device of the device mapper, as in `vg0-root`. */
const titleOf = (files: Files, device: string): string =>
  nameOf((device.startsWith("dm-") && files.text(`/sys/block/${device}/dm/name`)) || device);

/** Rates, use and latency of whole disks, RAID arrays and devices of the device mapper. */
export const diskActivity: SampleFigure<Map<string, Counters>> = {
  open: ({ files }) => {
    if (!files.exists("/proc/diskstats")) return null;
    return () => {
      // Partitions are not listed here.
      const whole = new Set(files.names("/sys/block"));
      const devices = parseDiskstats(files.text("/proc/diskstats") ?? "", (device) =>
        whole.has(device.replaceAll("/", "!")),
      );
      return new Map([...devices].map(([device, counters]) => [titleOf(files, device), counters]));
    };
  },
  fields: (after, before, seconds) => {
    const activities = [...after].flatMap(([device, counters]) => {
      const earlier = before?.get(device);
      return (earlier && activityOf(device, counters, earlier, seconds)) ?? [];
    });
    return activities.length > 0 ? { disk_activity: activities.slice(0, REPORT_LIMITS.devices) } : {};
  },
};
