import { join } from "node:path";
import packageJson from "../package.json";

const { version: packageVersion, repository: packageRepository } = packageJson as {
  version: string;
  repository?: string | { url: string };
};

// Set by scripts/build.ts, and absent while the sources run.
declare const BUILT_VERSION: string | undefined;
declare const BUILT_FOR_MUSL: boolean | undefined;
declare const RELEASE_KEY: string | undefined;

/** The version of package.json, or the `release-version` of the build. */
export const version: string = typeof BUILT_VERSION === "string" && BUILT_VERSION ? BUILT_VERSION : packageVersion;

/**
 * A `repository` field of package.json as a web address: without `git+` and `.git`, empty if missing.
 * https://docs.npmjs.com/cli/configuring-npm/package-json#repository
 */
export const toRepositoryUrl = (field: string | { url: string } | undefined): string => {
  const text = (typeof field === "string" ? field : (field?.url ?? "")).replace(/^git\+/, "").replace(/^github:/, "");
  const url = /^[\w.-]+\/[\w.-]+$/.test(text) ? `https://github.com/${text}` : text;
  return /^https?:\/\//.test(url) ? url.replace(/\/+$/, "").replace(/\.git$/, "") : "";
};

/** URL of the sources of this build, from package.json's `repository`, or empty. */
export const repository: string = toRepositoryUrl(packageRepository);

/** Whether this process is the compiled executable, whose files are embedded. */
export const compiled: boolean = /^(\/\$bunfs\/|B:[\\/]~BUN)/.test(import.meta.path);

/** Whether this executable was built for musl instead of the GNU C library. */
export const isMusl: boolean = typeof BUILT_FOR_MUSL === "boolean" && BUILT_FOR_MUSL;

/** The public key of release signatures, Ed25519 in base64; empty in builds without a key. */
export const releaseKey: string = typeof RELEASE_KEY === "string" ? RELEASE_KEY : "";

/** Directory of the built page. A function, because drizzle-kit loads this file in Node, which has no import.meta.dir. */
export const pageDirectory = (): string =>
  compiled ? join(import.meta.dir, "web") : join(import.meta.dir, "../dist/web");

/** The start of a command line that runs this program as a process of its own; the command follows. */
export const ownCommand = (): string[] =>
  compiled ? [process.execPath] : [process.execPath, join(import.meta.dir, "main.ts")];

/** The User-Agent of the hub's requests; operators of receiving systems can search their logs for it. */
export const USER_AGENT = `Wakeful/${version}`;
