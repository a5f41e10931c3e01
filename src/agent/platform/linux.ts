import { availableParallelism, hostname, networkInterfaces, release } from "node:os";
import { REPORT_LIMITS } from "../../shared/agents/report";
import type { Counters, Platform, Reading, Selection } from "./platform";
import {
  type Files,
  filesBelow,
  hasOwnAccounts,
  hostFolder,
  isContainer,
  parseDefaultRoutes,
  parseLoad,
  parseMeminfo,
  parseMounts,
  parseNetDev,
  parseOsRelease,
  parseStat,
  parseUptime,
  readBoot,
  readContainerCpu,
  readContainerMemory,
  reclaimableArc,
} from "./proc";
import { attempt, createSpaceReader, disksOf, selectAddresses, selectInterfaces } from "./system";

/**
 * Network filesystems read at the same time. A filesystem whose server is gone holds a thread forever, and others need threads
 * too.
 */
const REMOTE_AT_ONCE = 4;

const defaultRoutes = (files: Files): string[] =>
  parseDefaultRoutes(files.text("/proc/net/route") ?? "", files.text("/proc/net/ipv6_route") ?? "");

const readNetwork = (files: Files, globs: string[]): Record<string, Counters> => {
  const counters = parseNetDev(files.text("/proc/net/dev") ?? "");
  const names = selectInterfaces(globs, {
    names: Object.keys(counters).filter((name) => name !== "lo"),
    isPhysical: (name) => files.link(`/sys/class/net/${name}`)?.includes("/virtual/") === false,
    defaultRoutes: () => defaultRoutes(files),
  });
  return Object.fromEntries(names.map((name) => [name, counters[name] as Counters]));
};

/** Reads /proc and /sys. */
export const createLinux = (
  { interfaces, networkFilesystems }: Selection,
  files = filesBelow(""),
  readSpaces = createSpaceReader(),
  readNetworkSpaces = createSpaceReader(undefined, REMOTE_AT_ONCE),
): Platform => {
  const host = hostFolder(files);
  const ownAccounts = host === "" && hasOwnAccounts(files);

  const readMemory = (): Pick<Reading, "memory" | "swap"> => {
    const arc = files.text("/proc/spl/kstat/zfs/arcstats");
    const machine = parseMeminfo(files.text("/proc/meminfo") ?? "", arc === null ? 0 : reclaimableArc(arc));
    const own = ownAccounts ? readContainerMemory(files, machine.memory?.total ?? 0) : null;
    return own ? { memory: own } : machine;
  };

  const readDisks = async () => {
    const mountinfo = files.text(host ? `${host}/proc/1/mountinfo` : "/proc/self/mountinfo") ?? "";
    const mounts = parseMounts(mountinfo, networkFilesystems).slice(0, REPORT_LIMITS.disks);
    const pathsOf = (network: boolean) =>
      mounts
        .filter((mount) => mount.network === network)
        .flatMap(({ path, parts }) => [path, ...parts])
        .map((path) => host + path);
    const [local, remote] = await Promise.all([readSpaces(pathsOf(false)), readNetworkSpaces(pathsOf(true))]);
    return disksOf(mounts, new Map([...local, ...remote]), host);
  };

  const readCpu = (): Pick<Reading, "cpu" | "cpuParts"> => {
    const own = ownAccounts ? readContainerCpu(files, attempt(availableParallelism, 1)) : null;
    return own ? { cpu: own } : parseStat(files.text("/proc/stat") ?? "");
  };

  const readQuick = (): Reading => ({
    ...readCpu(),
    ...readMemory(),
    network: readNetwork(files, interfaces),
    load: parseLoad(files.text("/proc/loadavg") ?? ""),
    disks: [],
    unreadable: [],
  });

  return {
    readQuick,
    read: async () => ({
      ...readQuick(),
      uptime: parseUptime(files.text("/proc/uptime") ?? ""),
      boot: readBoot(files),
      ...(await readDisks()),
    }),
    identity: async () => ({
      hostname: attempt(hostname, ""),
      ip_addresses: selectAddresses(attempt(networkInterfaces, {}), defaultRoutes(files)),
      os:
        parseOsRelease(files.text(`${host}/etc/os-release`) ?? files.text(`${host}/usr/lib/os-release`) ?? "") ??
        "Linux",
      version: release(),
    }),
    remarks: [
      ...(host ? ["It runs in a container and reads the disks of the machine below /host."] : []),
      ...(ownAccounts ? ["It runs in a container: processor and memory are the container's own (cgroup v2)."] : []),
      ...(!host && !ownAccounts && isContainer(files)
        ? ["It runs in a container without cgroup v2: processor and memory are those of the whole machine."]
        : []),
    ],
  };
};
