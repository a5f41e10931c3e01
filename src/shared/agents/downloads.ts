/** The executables of a release by file name, each with the target of `bun build --compile`. */
export const EXECUTABLES: Readonly<Record<string, string>> = {
  // Baseline: many virtual machines hide AVX2 from their guests, and the usual build may need it.
  "wakeful-linux-amd64": "bun-linux-x64-baseline",
  "wakeful-linux-arm64": "bun-linux-arm64",
  "wakeful-linux-amd64-musl": "bun-linux-x64-musl-baseline",
  "wakeful-linux-arm64-musl": "bun-linux-arm64-musl",
  "wakeful-darwin-amd64": "bun-darwin-x64-baseline",
  "wakeful-darwin-arm64": "bun-darwin-arm64",
  "wakeful-windows-amd64.exe": "bun-windows-x64-baseline",
  "wakeful-windows-arm64.exe": "bun-windows-arm64",
};

/** The endings of compressed executables, smallest first. */
export const COMPRESSIONS = ["xz", "zst", "gz"] as const;
export type Compression = (typeof COMPRESSIONS)[number];

/** The file name of the executable for a platform, as Node names platforms and architectures. */
export const executableName = (platform: string, architecture: string, isMusl: boolean): string => {
  const system = platform === "win32" ? "windows" : platform;
  const processor = architecture === "x64" ? "amd64" : architecture;
  return `wakeful-${system}-${processor}${isMusl ? "-musl" : ""}${platform === "win32" ? ".exe" : ""}`;
};

/** The file that describes a release; its signature is beside it, with `.sig`. */
export const MANIFEST = "wakeful-release.json";

export type Manifest = {
  version: string;
  /** The day of the release, as in 2026-05-31. */
  date: string;
  /** By file name, without compression. */
  files: Record<string, { sha256: string; size: number }>;
};
