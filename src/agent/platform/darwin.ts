import { cpus, hostname, loadavg, networkInterfaces, release, totalmem, uptime } from "node:os";
import type { Usage } from "../../shared/agents/report";
import type { Counters, Platform, Reading, Selection } from "./platform";
import {
  attempt,
  createSpaceReader,
  disksOf,
  outputOf,
  processorTimes,
  selectAddresses,
  selectInterfaces,
} from "./system";

/** Memory in use as Activity Monitor counts it: application, wired and compressed memory. */
export const parseVmStat = (text: string, total: number): Usage | null => {
  const page = Number(/page size of (\d+) bytes/.exec(text)?.[1]);
  const pages = (name: string) => Number(new RegExp(`^${name}: +(\\d+)\\.`, "m").exec(text)?.[1]);
  const used =
    (pages("Anonymous pages") -
      pages("Pages purgeable") +
      pages("Pages wired down") +
      pages("Pages occupied by compressor")) *
    page;
  return Number.isFinite(used) && used >= 0 && used <= total ? { total, used } : null;
};

/** Parses `sysctl -n vm.swapusage`. */
export const parseSwapUsage = (text: string): Usage | undefined => {
  const bytes = (name: string) => {
    const [, figure, unit] = new RegExp(`${name} = ([\\d.,]+)([KMGT])`).exec(text) ?? [];
    return Math.round(Number(figure?.replace(",", ".")) * 1024 ** (" KMGT".indexOf(unit ?? " ") || Number.NaN));
  };
  const [total, used] = [bytes("total"), bytes("used")];
  return Number.isFinite(total) && Number.isFinite(used) ? { total, used } : undefined;
};

/** Parses the counters of hardware interfaces (`en0` …) from `netstat -ibn`. */
export const parseNetstat = (text: string): Record<string, Counters> => {
  const counters: Record<string, Counters> = {};
  for (const line of text.split("\n")) {
    const fields = line.trim().split(/\s+/);
    const [name = "", , network = ""] = fields;
    // Not every row has an address, so the columns are counted from the end.
    const [rx, tx] = [Number(fields.at(-5)), Number(fields.at(-2))];
    if (network.startsWith("<Link#") && Number.isFinite(rx) && Number.isFinite(tx))
      counters[name.replace(/\*$/, "")] = { rx, tx };
  }
  return counters;
};

/** Parses `sysctl -n kern.bootsessionuuid`, which is different after each start. */
const parseSession = (text: string): string | undefined => /^[0-9A-F]{8}(?=-)/i.exec(text)?.[0].toLowerCase();

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
  let pending: Promise<string> | null = null;
  const productVersion = () => {
    pending ??= output(["sw_vers", "-productVersion"]).then((text) => text.trim() || release());
    return pending;
  };
  // The time of the start would change with the clock.
  let session: Promise<string | undefined> | null = null;
  const boot = () => {
    session ??= output(["sysctl", "-n", "kern.bootsessionuuid"]).then((text) => parseSession(text));
    return session;
  };
  /** Memory and traffic are known to system commands only. */
  const readQuick = (): Reading => ({
    cpu: processorTimes(attempt(cpus, [])),
    memory: null,
    disks: [],
    unreadable: [],
    network: {},
    load: attempt(loadavg, undefined) as [number, number, number] | undefined,
  });
  return {
    readQuick,
    read: async () => {
      const [memory, swap, network, spaces] = await Promise.all([
        output(["vm_stat"]),
        output(["sysctl", "-n", "vm.swapusage"]),
        readNetwork(),
        readSpaces(["/"]),
      ]);
      return {
        ...readQuick(),
        memory: parseVmStat(memory, attempt(totalmem, 0)),
        swap: parseSwapUsage(swap),
        // All volumes of an APFS container share its space, so the root filesystem covers them.
        ...disksOf([{ path: "/", parts: [] }], spaces),
        network,
        uptime: attempt(uptime, undefined),
        boot: await boot(),
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
