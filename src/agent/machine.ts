import type { Machine } from "./figures/figure";
import { filesBelow, hostFolder } from "./platform/proc";
import { outputOf } from "./platform/system";
import type { Logger, Time } from "./runtime";

const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: "amd64" };

/** The platform of this build, as in the names of downloads: `linux-amd64`, `linux-arm64-musl`, `windows-amd64`. */
export const platformName = (
  system: NodeJS.Platform = process.platform,
  architecture: NodeJS.Architecture = process.arch,
  maps: string = filesBelow("").text("/proc/self/maps") ?? "",
): string => {
  const musl = system === "linux" && /\/ld-musl-[^/]*$/m.test(maps) ? "-musl" : "";
  return `${system === "win32" ? "windows" : system}-${ARCHITECTURES[architecture] ?? architecture}${musl}`;
};

let platform: string | undefined;

/** The platform of this program. */
export const ownPlatform = (): string => {
  platform ??= platformName();
  return platform;
};

/** This machine, for figures. */
export const machineHere = (engines: string[], time: Time, log: Logger): Machine => {
  const files = filesBelow("");
  return {
    files,
    host: hostFolder(files),
    output: outputOf,
    has: (program) => Bun.which(program) !== null,
    monotonic: time.monotonic,
    engines,
    log,
  };
};
