/**
 * Makes a backup each night: look (once a minute) → due → directory and space → `wakeful backup` as a process of its own, which
 * copies, verifies and names the file → older ones are removed. Administrators are told when it fails and when it works again.
 */
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { describeError } from "../../../core/errors";
import { readSetting, writeSetting } from "../../../db/app-settings";
import { HOUR } from "../../../shared/limits";
import { writeHubEvents } from "../../alerting/hub-events";
import {
  type BackupProblem,
  createInside,
  folderProblem,
  hasSpace,
  markOf,
  nameOf,
  problemIn,
  prune,
  removeUnfinished,
} from "./folder";

/** At three of the machine's time, when most machines have least to do; the minute depends on the installation. */
const HOUR_OF_DAY = 3;
/** A backup that takes longer is ended, so that it does not run into the next one. Its error text has the hours. */
const LONGEST = 20 * HOUR;
/** After a failure it is tried again this much later. */
const RETRY = HOUR;

/** The last due time at or before now, or the one `days` later. */
const scheduledAt = (now: number, installationId: string, days = 0): number => {
  const time = new Date(now);
  time.setHours(HOUR_OF_DAY, Number.parseInt(markOf(installationId), 16) % 60, 0, 0);
  if (time.getTime() > now) time.setDate(time.getDate() - 1);
  if (days > 0) time.setDate(time.getDate() + days);
  return time.getTime();
};

/** `madeAt`: when the last good one was begun. `failingSince` and `problem`: null while backups work. */
type Nightly = { madeAt: number | null; failingSince: number | null; problem: BackupProblem | null };

const readNightly = async (db: Deps["db"]): Promise<Nightly> =>
  JSON.parse((await readSetting(db, "nightly_backup")) ?? '{"madeAt":null,"failingSince":null,"problem":null}');

/** When the next backup is due, and why the last one failed; null without nightly backups. */
export const readBackupState = async ({ db, clock, config, installationId }: Deps) => {
  if (!config.backupDir) return null;
  const { failingSince, problem } = await readNightly(db);
  return { nextAt: scheduledAt(clock.now(), installationId, 1), failingSince, problem };
};

/** Milliseconds since the last `wakeful backup`; null if there was none, or another tool makes them. */
export const readBackupAge = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<number | null> => {
  const madeAt = db.engine === "sqlite" ? await readSetting(db, "backed_up_at") : undefined;
  return madeAt === undefined ? null : Math.max(0, clock.now() - Number(madeAt));
};

/** Writes a verified backup to a new file. Returns what went wrong, or null. */
export type MakeBackup = (file: string, stop: AbortSignal) => Promise<string | null>;

type Attempt = { begunAt: number; stop: AbortController };
type Store = Pick<Deps, "db" | "clock" | "config" | "log" | "installationId">;

/** Stores how a backup ended, with the events of a change. */
const record = ({ db, clock }: Store, begunAt: number, problem: BackupProblem | null): Promise<void> =>
  db.transact(async (tx) => {
    const [now, before] = [clock.now(), await readNightly(tx)];
    const isFailing = before.failingSince !== null;
    const after: Nightly = problem
      ? { madeAt: before.madeAt, failingSince: before.failingSince ?? now, problem }
      : { madeAt: begunAt, failingSince: null, problem: null };
    await writeSetting(tx, "nightly_backup", JSON.stringify(after));
    if (problem && !isFailing) await writeHubEvents(tx, [{ kind: "backup_failed", at: now, errorCode: problem }]);
    if (!problem && isFailing) await writeHubEvents(tx, [{ kind: "backup_made", at: now, since: before.failingSince }]);
  });

/** Bytes of the database without its unused space, which a copy does not have. */
const usedBytes = async ({ db }: Store): Promise<number> => {
  const [row] = await db.rows<{ size: number }>(
    sql`select (page_count - freelist_count) * page_size as size
      from pragma_page_count, pragma_freelist_count, pragma_page_size`,
  );
  return Number(row?.size);
};

/** Makes one backup and removes older ones. Returns what went wrong, or null. */
const backUp = async (deps: Store, { begunAt, stop }: Attempt, make: MakeBackup): Promise<BackupProblem | null> => {
  const { config, log, installationId } = deps;
  const [folder, mark] = [config.backupDir, markOf(installationId)];
  const unusable = await folderProblem(config);
  if (unusable) return unusable;
  await createInside(config);
  await removeUnfinished(folder, mark);
  if (!(await hasSpace(folder, await usedBytes(deps)))) return "backup_no_space";
  const file = join(folder, nameOf(mark, begunAt));
  const failure = await make(file, stop.signal);
  if (failure !== null) {
    if (!stop.signal.aborted) log.error("the nightly backup failed", { file, error: failure });
    return problemIn(failure);
  }
  log.info("made the nightly backup", { file });
  await prune(folder, mark, config.backupKeep).catch((error) =>
    log.warn("older backups could not be removed", { folder, error: describeError(error) }),
  );
  return null;
};

/**
 * Creates the job of nightly backups: `look` is to be called once a minute, also while a backup runs. It resolves when the
 * backup that it starts has ended. `stop` ends a running backup; the next start makes it.
 */
export const createBackups = (deps: Store, make: MakeBackup) => {
  const { db, clock, config, log, installationId } = deps;
  let running: Attempt | null = null;
  let triedAt: number | null = null;

  const isDue = async (now: number): Promise<boolean> => {
    // With a clock that was set back, the last one is in the future.
    if (triedAt !== null && triedAt <= now && now - triedAt < RETRY) return false;
    const { madeAt } = await readNightly(db);
    return madeAt === null || madeAt > now || madeAt < scheduledAt(now, installationId);
  };

  const end = async (attempt: Attempt, problem: BackupProblem | null): Promise<void> => {
    // It has been ended already: by the end of the hub, or because it took too long.
    if (running !== attempt) return;
    running = null;
    if (problem) log.warn("there is no new backup", { problem, folder: config.backupDir });
    await record(deps, attempt.begunAt, problem);
  };

  const begin = async (begunAt: number): Promise<void> => {
    triedAt = begunAt;
    const attempt: Attempt = { begunAt, stop: new AbortController() };
    running = attempt;
    const problem = await backUp(deps, attempt, make).catch((error): BackupProblem => {
      if (running === attempt) log.error("the nightly backup failed", { error: describeError(error) });
      return "backup_failed";
    });
    await end(attempt, problem);
  };

  const endLate = async (attempt: Attempt, now: number): Promise<void> => {
    if (now - attempt.begunAt < LONGEST) return;
    attempt.stop.abort();
    await end(attempt, "backup_too_long");
  };

  return {
    look: async (): Promise<void> => {
      const now = clock.now();
      try {
        if (running) await endLate(running, now);
        else if (config.backupDir && (await isDue(now)) && !running) await begin(now);
      } catch (error) {
        log.error("a job failed", { job: "backups", error: describeError(error) });
      }
    },
    stop: (): void => {
      running?.stop.abort();
      running = null;
    },
  };
};
