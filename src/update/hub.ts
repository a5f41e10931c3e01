/** The update of the hub: a backup before, /health to tell whether the new program works, and the backup again if it does not. */
import { existsSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Logger, Time } from "../agent/runtime";
import { type Config, healthAddress } from "../core/config";
import { databaseFile } from "../db/sqlite/file";
import type { Account, HubService } from "./hub-service";
import { UpdateError } from "./release";
import { freeBytesOf, megabytes, type Subject } from "./update";

export type Hub = {
  program: string;
  current: string;
  /** Null where the hub does not run as a service. */
  service: HubService | null;
  /** The settings of the hub, as its process got them, and the directory of relative paths in them. */
  config: Config;
  folder: string;
  /** Seconds that a new version gets to become healthy. */
  wait: number;
  withoutBackup: boolean;
  time: Time;
  log: Logger;
};

const POLL_MS = 1000;
const REQUEST_MS = 5000;
const BACKUP = /^wakeful-before-\d{1,5}(\.\d{1,5}){2}\.db$/;

/** The id of the instance that answers that it is healthy; null where none does. */
const readInstance = async (address: string): Promise<string | null> => {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(REQUEST_MS) });
    const { instance } = (await response.json()) as { instance?: unknown };
    return response.ok && typeof instance === "string" ? instance : null;
  } catch {
    return null;
  }
};

/**
 * The user that commands on the database run as: the user of the service, because root must not write where that user could
 * lay links. With DynamicUser=, only root and the service itself reach the data.
 */
const accountOf = ({ service }: Hub, data: string): Account | undefined => {
  if (!service || process.getuid?.() !== 0 || realpathSync(data).startsWith("/var/lib/private/")) return undefined;
  return service.account;
};

/** Runs a command of a program on the hub's database. @returns what it says: why it failed, or warnings */
const runOnData = async (hub: Hub, data: string, command: string[]): Promise<{ code: number; text: string }> => {
  const child = Bun.spawn(command, {
    cwd: "/",
    env: { DATA_DIR: data },
    ...accountOf(hub, data),
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const text = (await new Response(child.stderr).text()).trim().replace(/^wakeful: /, "");
  const code = await child.exited;
  return { code, text: text || (code === 0 ? "" : `${command.join(" ")} ended with ${child.signalCode ?? code}`) };
};

/** @throws {UpdateError} where no backup can be made */
const assertBackup = ({ config }: Hub, database: string, folder: string): void => {
  if (config.dialect === "postgres")
    throw new UpdateError(
      "the data lie in PostgreSQL (DATABASE_URL): back them up with pg_dump, then give --no-backup",
    );
  if (!existsSync(database))
    throw new UpdateError(
      `there is no database in ${dirname(database)} (DATA_DIR): give this command the hub's settings, or --no-backup`,
    );
  const { size } = statSync(database);
  if (freeBytesOf(folder) < size)
    throw new UpdateError(`${folder} has too little free space for a backup of ${megabytes(size)}`);
};

/** Removes the backups of earlier updates. */
const removeOlder = (backup: string): void => {
  const folder = dirname(backup);
  for (const name of readdirSync(folder))
    if (BACKUP.test(name) && join(folder, name) !== backup) rmSync(join(folder, name));
};

export const hubSubject = (hub: Hub) => {
  const { program, current, service, config, folder, wait, withoutBackup, time, log } = hub;
  const health = healthAddress(config);
  const data = resolve(folder, config.dataDir);
  const chosen = resolve(folder, config.backupDir || config.dataDir);
  const backups = existsSync(chosen) ? chosen : data;
  let backup = "";
  /** Instances that answered before a restart: one of them may answer until it has ended. */
  const earlier = new Set<string | null>([null]);

  const undo = async (kept: string): Promise<boolean> => {
    if (service?.isStarting()) log("It was still starting: --wait gives it longer, as to change a large database.");
    service?.stop();
    if (!backup) {
      log("No backup was made: if the new version has changed the tables, restore your own.");
      return true;
    }
    const checked = await runOnData(hub, data, [kept, "serve", "--check"]);
    if (checked.code === 0 && !checked.text.includes("newer version")) return true;
    const { code, text } = await runOnData(hub, data, [kept, "restore", backup]);
    log(
      code === 0
        ? `It had changed the database. The backup ${backup} is restored; what was stored since is kept beside it.`
        : `The database could not be restored: ${text}. Restore ${backup}, then start the service.`,
    );
    return code === 0;
  };

  const subject: Subject = {
    keepsOld: true,
    assertWorks: async () => {
      if (!withoutBackup) assertBackup(hub, databaseFile(data), backups);
      const instance = await readInstance(health);
      earlier.add(instance);
      if (service && instance === null)
        throw new UpdateError(`the hub is not healthy at ${health}, so it could not be told whether a new one works`);
    },
    prepare: async (draft, version) => {
      if (withoutBackup) return;
      const file = join(backups, `wakeful-before-${version}.db`);
      // An older program finds out itself whether it knows the tables.
      const maker = Bun.semver.order(version, current) < 0 ? draft : program;
      const { code, text } = await runOnData(hub, data, [maker, "backup", "--force", file]);
      if (code !== 0) throw new UpdateError(`no backup could be made: ${text}`);
      backup = file;
      log(`Made the backup ${file}.`);
    },
    restart:
      service &&
      (async () => {
        // From here on, ending this command half way would leave a program that has not shown that it works.
        for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
        earlier.add(await readInstance(health));
        service.restart();
      }),
    works: async () => {
      const deadline = time.monotonic() + wait * 1000;
      for (; time.monotonic() < deadline; await time.sleep(POLL_MS))
        if (!earlier.has(await readInstance(health))) return true;
      return false;
    },
    undo,
    words: {
      works: "runs and is healthy",
      fails: `was not healthy within ${wait} seconds`,
      restart: `Restart Wakeful to use it. The old program is ${program}.before, in case this one does not start.`,
    },
  };
  return {
    subject,
    /** Once the new version works: only the last backup is kept. */
    tidy: () => {
      if (backup) removeOlder(backup);
    },
  };
};
