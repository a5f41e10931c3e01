/** scripts/install as one file, which can be downloaded and run without the repository. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const REPOSITORY = resolve(import.meta.dir, "../..");

/** The lines that read a part, which shellcheck follows. */
const PART = /^# shellcheck source=(\S+)\n\. .*$/gm;
const FOLDER_OF_PARTS = /^here=.*\n/m;

/**
 * @param releases the address of the folder with the release that the script installs
 * @param publicKey the key that the release is verified with
 */
export const bundleInstaller = (releases: string, publicKey: string): string => {
  const read = (path: string) => readFileSync(join(REPOSITORY, path), "utf8");
  return read("scripts/install")
    .replace(FOLDER_OF_PARTS, "")
    .replace(PART, (_, path: string) =>
      read(path)
        .replace(/^# shellcheck shell=sh\n/, "")
        .trimEnd(),
    )
    .replace("@RELEASES@", () => releases || "@RELEASES@")
    .replace("@RELEASE_KEY@", () => publicKey || "@RELEASE_KEY@");
};
