import { join } from "node:path";
import packageJson from "../package.json";

const { version: packageVersion, repository: packageRepository } = packageJson as {
  version: string;
  repository?: string | { url: string };
};

/** The version in package.json, set when the executable is built. */
export const version: string = packageVersion;

/**
 * A `repository` field of package.json as a web address: without `git+` and `.git`, empty where there is none.
 * https://docs.npmjs.com/cli/configuring-npm/package-json#repository
 */
export const toRepositoryUrl = (field: string | { url: string } | undefined): string => {
  const text = (typeof field === "string" ? field : (field?.url ?? "")).replace(/^git\+/, "").replace(/^github:/, "");
  const url = /^[\w.-]+\/[\w.-]+$/.test(text) ? `https://github.com/${text}` : text;
  return /^https?:\/\//.test(url) ? url.replace(/\/+$/, "").replace(/\.git$/, "") : "";
};

/** URL of the sources of this build, from package.json's `repository`; empty without one. */
export const repository: string = toRepositoryUrl(packageRepository);

/** Whether this process is the compiled executable, whose files are embedded. */
export const compiled: boolean = /^(\/\$bunfs\/|B:[\\/]~BUN)/.test(import.meta.path);

/** Directory of the built page. A function, because drizzle-kit loads this file in Node, which has no import.meta.dir. */
export const pageDirectory = (): string =>
  compiled ? join(import.meta.dir, "web") : join(import.meta.dir, "../dist/web");
