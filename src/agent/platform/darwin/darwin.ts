import { cpus, hostname, loadavg, networkInterfaces, release, totalmem, uptime } from "node:os";
import type { Platform, Selection } from "../../measure/reading";
import { selectAddresses } from "../addresses";
import { attempt } from "../attempt";
import { outputOf } from "../command";
import { disksOf } from "../disks";
import { selectInterfaces } from "../interfaces";
import { processorTimes } from "../processors";
import { createSpaceReader } from "../statfs";
import { parseNetstat, parseSwapUsage, parseVmStat } from "./parse";

/** macOS: the runtime's own figures, and small programs of the system for what it does not know. */
export const createDarwin = (
  { interfaces }: Selection,
  output = outputOf,
  readSpaces = createSpaceReader(),
): Platform => {
  const readNetwork = async () => {
    const counters = parseNetstat(await output(["netstat", "-ibn"]));
    const names = selectInterfaces(interfaces, {
      names: Object.keys(counters).filter((name) => !name.startsWith("lo")),
      isPhysical: (name) => /^en\d+$/.test(name),
      defaultRoutes: () => [],
    });
    return Object.fromEntries(Object.entries(counters).filter(([name]) => names.includes(name)));
  };
  let asked: Promise<string> | null = null;
  const productVersion = () => {
    asked ??= output(["sw_vers", "-productVersion"]).then((text) => text.trim() || release());
    return asked;
  };
  return {
    read: async () => {
      const [memory, swap, network, spaces] = await Promise.all([
        output(["vm_stat"]),
        output(["sysctl", "-n", "vm.swapusage"]),
        readNetwork(),
        readSpaces(["/"]),
      ]);
      return {
        cpu: processorTimes(attempt(cpus, [])),
        memory: parseVmStat(memory, attempt(totalmem, 0)),
        swap: parseSwapUsage(swap),
        // Every volume of the container shares its space, so the root tells about them all.
        ...disksOf([{ path: "/", parts: [] }], spaces),
        network,
        load: attempt(loadavg, undefined) as [number, number, number] | undefined,
        uptime: attempt(uptime, undefined),
      };
    },
    identity: async () => ({
      hostname: attempt(hostname, ""),
      ip_addresses: selectAddresses(attempt(networkInterfaces, {})),
      os: "macOS",
      version: await productVersion(),
    }),
    remarks: [],
  };
};
