import { readFileSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { createLogger, oneLine, systemTime } from "../agent/runtime";
import { compiled, isMusl, releaseKey, repository, version } from "../build-info";
import { readConfig } from "../core/config";
import { executableName, MANIFEST } from "../shared/agents/downloads";
import { hubSubject } from "../update/hub";
import { findHubService } from "../update/hub-service";
import { findUpdate, UPDATE_CODES, update } from "../update/update";

export const help = `usage: wakeful update [--check] [--from PLACE] [options]

Replaces this program by a newer release, if its signature is right: downloads and verifies it, makes a backup of the
database, restarts the service wakeful of systemd, and waits until the hub is healthy. If it is not within 60 seconds, the
old program comes back, and the backup as well if the new one had changed the database. Run it as root.

  --check           only say whether there is a newer release
  --from PLACE      where the release is: the address of a folder, a folder of this machine, or the executable in one.
                    The folder also has ${MANIFEST} and its signature
  --downgrade       take a release that is older than this program, too
  --no-backup       make no backup, as with PostgreSQL: use pg_dump before
  --wait SECONDS    how long the new version may take to become healthy, 10 to 3600

Without a service it finds the database by DATA_DIR, replaces the program, and leaves the restart to you. In a container it
changes nothing: pull the new image there.

It exits 0 when there is nothing newer or the new version is healthy, 1 when nothing was changed, 2 when it went back, and with
--check 3 when there is a newer one.
`;

const options = {
  check: { type: "boolean", default: false },
  from: { type: "string" },
  downgrade: { type: "boolean", default: false },
  "no-backup": { type: "boolean", default: false },
  wait: { type: "string", default: "60" },
} as const;

/** Where the release is, and the name of the executable there if it was given. */
const placeOf = (from: string | undefined): { place: string; file?: string } => {
  if (from === undefined && !repository) throw new Error("--from has to say where the release is");
  const given = from ?? `${repository}/releases/latest/download`;
  const isManifest = (name: string) => name === MANIFEST || name === `${MANIFEST}.sig`;
  if (/^https?:\/\/./.test(given))
    return { place: (isManifest(basename(given)) ? dirname(given) : given).replace(/\/+$/, "") };
  const stats = statSync(given, { throwIfNoEntry: false });
  if (!stats) throw new Error(`there is no file or folder ${given} (--from)`);
  const folder = stats.isDirectory() ? given : dirname(given);
  const place = pathToFileURL(resolve(folder)).href.replace(/\/+$/, "");
  if (stats.isDirectory() || isManifest(basename(given))) return { place };
  return { place, file: encodeURIComponent(basename(given).replace(/\.(zst|xz|gz)$/, "")) };
};

/** Whether the first process is this program, or an init process that was given it, as only in a container. */
const isInContainer = (program: string): boolean => {
  try {
    return readFileSync("/proc/1/cmdline", "utf8")
      .split("\0")
      .some((word) => basename(word) === basename(program));
  } catch {
    return false;
  }
};

const act = async (words: string[]): Promise<number> => {
  const { values } = parseArgs({ args: words, options });
  const wait = Number(values.wait);
  if (!(Number.isInteger(wait) && wait >= 10 && wait <= 3600))
    throw new Error("--wait takes a whole number of seconds from 10 to 3600");
  if (!compiled) throw new Error("only the executable can be updated");
  if (!releaseKey) throw new Error("this program was built without a key for releases, so it can verify no update");
  const log = createLogger(false);
  const [program, time] = [process.execPath, systemTime];
  const release = {
    ...placeOf(values.from),
    publicKey: releaseKey,
    current: version,
    name: executableName(process.platform, process.arch, isMusl),
    older: values.downgrade ? ("install" as const) : ("refuse" as const),
    program,
    time,
    log,
  };
  if (values.check) {
    const found = await findUpdate(release);
    log(
      found
        ? `Version ${found.version} of ${found.date} is available; this is ${version}.`
        : `Version ${version} is up to date.`,
    );
    return found ? UPDATE_CODES.available : UPDATE_CODES.done;
  }
  if (isInContainer(program))
    throw new Error(
      "Wakeful runs in a container here: pull the new image and start it, as by docker compose pull && docker compose up -d",
    );
  const service = findHubService(program);
  const { subject, tidy } = hubSubject({
    ...{ program, current: version, service, time, log, wait },
    config: readConfig(service?.environment ?? process.env),
    folder: service?.folder ?? process.cwd(),
    withoutBackup: values["no-backup"],
  });
  const code = await update({ ...release, subject });
  if (code === UPDATE_CODES.done) tidy();
  return code;
};

export const run = async (words: string[]): Promise<void> => {
  try {
    process.exit(await act(words));
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    process.stderr.write(`wakeful: not updated: ${oneLine(text)}\n`);
    process.exit(UPDATE_CODES.failed);
  }
};
