import type { CpuInfo, NetworkInterfaceInfo } from "node:os";
import { REPORT_LIMITS } from "../../shared/report";
import type { CpuTimes } from "../measure/reading";

/** Returns the reader's result, or the fallback when it throws, so that one unreadable figure does not stop the agent. */
export const attempt = <T, F>(read: () => T, fallback: F): T | F => {
  try {
    return read();
  } catch {
    return fallback;
  }
};

/** Runs a system command and returns its output, or an empty string when it is missing, fails or times out. */
export const outputOf = async (words: string[], timeout = 10_000): Promise<string> => {
  try {
    const child = Bun.spawn(words, {
      env: { ...process.env, LC_ALL: "C" },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
      timeout: timeout,
      windowsHide: true,
    });
    return await new Response(child.stdout).text();
  } catch {
    return "";
  }
};

/** CPU times of each processor, for systems without an iowait counter. */
export const processorTimes = (cpus: Pick<CpuInfo, "times">[]): CpuTimes[] | null =>
  cpus.length === 0
    ? null
    : cpus.map(({ times: { user, nice, sys, irq, idle } }) => ({ busy: [user, nice, sys, irq], idle: [idle] }));

/** Virtual interfaces of container engines and hypervisors. */
const BRIDGES = /^(docker|br-|veth|virbr|cni|flannel|cali|lxcbr|lxdbr|podman|vnet|tap)/;
const LINK_LOCAL = /^fe[89ab]/i;

/** Selects the machine's IP addresses, those of interfaces with a default route first. */
export const selectAddresses = (
  interfaces: Record<string, Pick<NetworkInterfaceInfo, "address" | "internal">[] | undefined>,
  defaultRoutes: string[] = [],
): string[] => {
  const place = (name: string) => (defaultRoutes.includes(name) ? defaultRoutes.indexOf(name) : defaultRoutes.length);
  const addresses = Object.entries(interfaces)
    .filter(([name]) => !BRIDGES.test(name) || defaultRoutes.includes(name))
    .toSorted(([a], [b]) => place(a) - place(b))
    .flatMap(([, found]) => found ?? [])
    .filter(({ address, internal }) => !internal && !LINK_LOCAL.test(address))
    .map(({ address }) => address);
  return [...new Set(addresses)].slice(0, REPORT_LIMITS.addresses);
};

/** Whether a glob matches the whole of a name. */
const matches = (glob: string, name: string): boolean => new Bun.Glob(glob).match(name);

type Interfaces = {
  names: string[];
  /** Whether the interface is hardware. Virtual interfaces would count its traffic a second time. */
  isPhysical: (name: string) => boolean;
  /** Called only when there is no physical interface, as in containers. */
  defaultRoutes: () => string[];
};

/** Selects the interfaces to count: those that match the globs, or else the physical ones. */
export const selectInterfaces = (globs: string[], { names, isPhysical, defaultRoutes }: Interfaces): string[] => {
  const wanted = globs.filter((glob) => !glob.startsWith("!"));
  const unwanted = globs.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1));
  const kept = names.filter((name) => !unwanted.some((glob) => matches(glob, name)));
  if (wanted.length > 0) return kept.filter((name) => wanted.some((glob) => matches(glob, name)));
  const physical = kept.filter(isPhysical);
  if (physical.length > 0) return physical;
  const routes = defaultRoutes();
  return kept.filter((name) => routes.includes(name));
};
