import { type DiskArray, REPORT_LIMITS } from "../../../shared/agents/report";
import { type Fact, nameOf } from "../figure";

/** Activities of an array, from the kernel's words to the report's. */
const ACTIVITIES = {
  recovery: "recovering",
  resync: "resyncing",
  reshape: "reshaping",
  check: "checking",
  repair: "repairing",
};
type Activity = keyof typeof ACTIVITIES;

/** Parses /proc/mdstat. An array is degraded when disks are missing from it, or when it could not be started. */
const parseMdstat = (text: string): DiskArray[] =>
  text.split(/^(?=\S)/m).flatMap((block): DiskArray[] => {
    const [, name, active] = /^(\S+) : (\S+)/.exec(block) ?? [];
    if (!name || !active || name === "Personalities") return [];
    const [, wanted, working] = /\[(\d+)\/(\d+)\]/.exec(block) ?? [];
    const degraded = active === "inactive" || Number(working) < Number(wanted);
    const activity = /\b(recovery|resync|reshape|check|repair) *=/.exec(block)?.[1] as Activity | undefined;
    const state = activity ? ACTIVITIES[activity] : degraded && active !== "inactive" ? "degraded" : active;
    return [{ name: nameOf(name), kind: "md", state: nameOf(state), degraded }];
  });

/** RAID arrays of Linux, and ZFS pools. */
export const arrays: Fact = {
  every: 60,
  open:
    ({ files }) =>
    () => {
      const pools = files.names("/proc/spl/kstat/zfs").flatMap((name): DiskArray[] => {
        const state = files.text(`/proc/spl/kstat/zfs/${name}/state`)?.trim();
        return state ? [{ name: nameOf(name), kind: "zfs", state: nameOf(state), degraded: state !== "ONLINE" }] : [];
      });
      const arrays = [...parseMdstat(files.text("/proc/mdstat") ?? ""), ...pools];
      // Where there are more than fit, those that need attention are listed.
      arrays.sort((a, b) => Number(b.degraded) - Number(a.degraded));
      return arrays.length > 0 ? { arrays: arrays.slice(0, REPORT_LIMITS.arrays) } : {};
    },
};
