import { cpus, hostname, loadavg, networkInterfaces, release, totalmem, uptime } from "node:os";
import type { Platform, Selection } from "../../measure/reading";
import { selectAddresses } from "../addresses";
import { attempt, outputOf } from "../command";
import { selectInterfaces } from "../interfaces";
import { processorTimes } from "../processors";
import { createSpaceReader, disksOf } from "../statfs";
import { parseNetstat, parseSwapUsage, parseVmStat } from "./parse";

/** macOS: figures from the runtime, and system commands for the rest. */
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
        // All volumes of an APFS container share its space, so the root filesystem covers them.
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
