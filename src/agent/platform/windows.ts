import { cpus, freemem, hostname, networkInterfaces, release, totalmem, uptime } from "node:os";
import type { Counters, Platform, Reading } from "./platform";
import { attempt, createSpaceReader, disksOf, outputOf, processorTimes, selectAddresses } from "./system";

/** Parses bytes received and sent from `netstat -e`. In any language they are the first row with two numbers. */
export const parseNetstat = (text: string): Record<string, Counters> => {
  const [, rx, tx] = /^[^\d\r\n]*?\s(\d+)\s+(\d+)\s*$/m.exec(text) ?? [];
  return rx === undefined || tx === undefined ? {} : { all: { rx: Number(rx), tx: Number(tx) } };
};

/** Parses the drive letters of local disks from PowerShell's list. */
export const parseDrives = (text: string): string[] => [
  ...new Set([...text.matchAll(/^\s*([A-Z]):\s*$/gim)].map(([, letter = ""]) => letter.toUpperCase())),
];

// Starting PowerShell takes most of a second of CPU time, so one call reads both and the result is kept.
const ABOUT =
  "(Get-CimInstance Win32_OperatingSystem).Caption; (Get-CimInstance Win32_LogicalDisk -Filter 'DriveType=3').DeviceID; " +
  "'boot ' + (Get-ItemProperty 'HKLM:\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management\\PrefetchParameters').BootId";

/** Windows: figures from the runtime, and `netstat` for the traffic of all interfaces together. */
export const createWindows = (output = outputOf, readSpaces = createSpaceReader()): Platform => {
  let pending: Promise<{ caption: string; drives: string[]; boot?: string }> | null = null;
  const about = () => {
    pending ??= output(["powershell.exe", "-NoProfile", "-NonInteractive", "-Command", ABOUT], 30_000).then((text) => {
      const drives = parseDrives(text);
      const caption = text.split(/\r?\n/)[0]?.trim() ?? "";
      return {
        // Windows counts its starts.
        boot: /^boot (\d+)\r?$/m.exec(text)?.[1],
        caption: /^[A-Z]:$/i.test(caption) || caption === "" ? "Windows" : caption,
        drives: drives.length > 0 ? drives : ["C"],
      };
    });
    return pending;
  };
  const readQuick = (): Reading => ({
    cpu: processorTimes(attempt(cpus, [])),
    memory: attempt(() => ({ total: totalmem(), used: totalmem() - freemem() }), null),
    disks: [],
    unreadable: [],
    network: {},
  });
  return {
    readQuick,
    read: async () => {
      const paths = (await about()).drives.map((letter) => `${letter}:\\`);
      const [spaces, traffic] = await Promise.all([readSpaces(paths), output(["netstat.exe", "-e"])]);
      return {
        ...readQuick(),
        ...disksOf(
          paths.map((path) => ({ path, parts: [] })),
          spaces,
        ),
        network: parseNetstat(traffic),
        boot: (await about()).boot,
        wraps: true,
        uptime: attempt(uptime, undefined),
      };
    },
    identity: async () => ({
      hostname: attempt(hostname, ""),
      ip_addresses: selectAddresses(attempt(networkInterfaces, {})),
      os: (await about()).caption,
      version: release(),
    }),
    remarks: [],
  };
};
