import { describe, expect, it } from "bun:test";
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processDialect, readConfig } from "../../../core/config";
import { readSetting } from "../../../db/app-settings";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { START } from "../../../testing/clock";
import { DUE, MARK, startBackups, writeFile } from "../../../testing/db/backups";
import { nameOf } from "./folder";

const stateOf = async ({ app }: Awaited<ReturnType<typeof startBackups>>) =>
  JSON.parse((await readSetting(app.db, "nightly_backup")) ?? "null");

describe.skipIf(processDialect === "postgres")("nightly backups", () => {
  it("are made at the first start and then once each night, at the same time", async () => {
    const { lookAt, files } = await startBackups();
    expect(await lookAt(START)).toBe(1);
    expect(files()).toEqual([nameOf(MARK, START)]);
    expect(await lookAt(START + MINUTE)).toBe(0);
    expect(await lookAt(DUE + DAY - MINUTE)).toBe(0);
    expect(await lookAt(DUE + DAY)).toBe(1);
    expect(await lookAt(DUE + DAY + 23 * HOUR)).toBe(0);
    expect(await lookAt(DUE + 2 * DAY)).toBe(1);
  });

  it("of a night in which the hub did not run are made up at its next start", async () => {
    const set = await startBackups();
    await set.lookAt(START);
    set.app.clock.set(DUE + 3 * DAY + 5 * HOUR);
    const next = set.start();
    await next.look();
    await next.look();
    expect(set.made).toHaveLength(1);
  });

  it("go on after the clock was set back", async () => {
    const { lookAt } = await startBackups();
    expect(await lookAt(START + 300 * DAY)).toBe(1);
    expect(await lookAt(START)).toBe(1);
    expect(await lookAt(START + MINUTE)).toBe(0);
  });

  it("are not made without BACKUP_DIR", async () => {
    const { lookAt, system } = await startBackups({ env: { BACKUP_DIR: "" } });
    expect(await lookAt(START)).toBe(0);
    expect(await system()).toMatchObject({ next_backup: null, backup_error: null });
  });

  it("are pruned to the latest after a good one, and no other file is touched", async () => {
    const set = await startBackups({ env: { BACKUP_KEEP: "2" } });
    const { folder, files, lookAt, way, data } = set;
    const others = [
      "wakeful-2020-01-01T03-00-00Z-00000000.db",
      "wakeful-2020-01-01.db",
      `wakeful-2020-01-01T03-00-00Z-${MARK}.db.gz`,
      "wakeful.db",
    ];
    for (const name of others) writeFileSync(join(folder, name), "");
    const link = `wakeful-2020-01-02T03-00-00Z-${MARK}.db`;
    writeFileSync(join(data, "target"), "");
    symlinkSync(join(data, "target"), join(folder, link));
    mkdirSync(join(folder, `wakeful-2020-01-03T03-00-00Z-${MARK}.db`));
    const own = () => files().filter((name) => name.includes(MARK) && name > `wakeful-2026`);
    for (let night = 1; night <= 3; night++) await lookAt(DUE + night * DAY);
    expect(own()).toEqual([nameOf(MARK, DUE + 2 * DAY), nameOf(MARK, DUE + 3 * DAY)]);
    way.make = async () => "wakeful: database or disk is full";
    await lookAt(DUE + 4 * DAY);
    expect(own()).toEqual([nameOf(MARK, DUE + 2 * DAY), nameOf(MARK, DUE + 3 * DAY)]);
    expect(files()).toEqual(expect.arrayContaining([...others, link]));
    expect(existsSync(join(data, "target"))).toBe(true);
  });

  it("remove what an interrupted one left, and only that", async () => {
    const { folder, files, lookAt } = await startBackups();
    const left = `${nameOf(MARK, START - DAY)}.0a1b2c3d.unfinished`;
    const foreign = `wakeful-2026-01-01T03-00-00Z-00000000.db.0a1b2c3d.unfinished`;
    for (const name of [left, `${left}-wal`, foreign, "notes.unfinished"]) writeFileSync(join(folder, name), "");
    await lookAt(START);
    expect(files()).toEqual([nameOf(MARK, START), foreign, "notes.unfinished"].toSorted());
  });

  it("are tried again an hour after a failure, and at the next start", async () => {
    const set = await startBackups();
    const { lookAt, way, start, made } = set;
    way.make = async () => "wakeful: something else";
    expect(await lookAt(START)).toBe(1);
    expect(await lookAt(START + 59 * MINUTE)).toBe(0);
    await start().look();
    expect(made.splice(0)).toHaveLength(1);
    way.make = writeFile;
    expect(await lookAt(START + 61 * MINUTE)).toBe(1);
    expect(await stateOf(set)).toEqual({ madeAt: START + 61 * MINUTE, failingSince: null, problem: null });
  });

  it("that run are not begun again, and are ended after 20 hours", async () => {
    const set = await startBackups();
    const { app, backups, way, made } = set;
    const asked = Promise.withResolvers<AbortSignal>();
    const gate = Promise.withResolvers<string | null>();
    way.make = (_, stop) => {
      asked.resolve(stop);
      return gate.promise;
    };
    const first = backups.look();
    const stop = await asked.promise;
    app.clock.set(START + 19 * HOUR);
    await backups.look();
    expect([made.length, stop.aborted]).toEqual([1, false]);
    app.clock.set(START + 20 * HOUR);
    await backups.look();
    expect([made.length, stop.aborted]).toEqual([1, true]);
    expect((await stateOf(set)).problem).toBe("backup_too_long");
    gate.resolve(null);
    await first;
    expect((await stateOf(set)).problem).toBe("backup_too_long");
  });

  it("that run when the hub stops are ended without an alert, and made at the next start", async () => {
    const set = await startBackups();
    const { backups, way, start, made } = set;
    const asked = Promise.withResolvers<AbortSignal>();
    way.make = (_, stop) => {
      asked.resolve(stop);
      return new Promise((resolve) => stop.addEventListener("abort", () => resolve("ended with SIGTERM")));
    };
    const first = backups.look();
    await asked.promise;
    backups.stop();
    await first;
    expect(await stateOf(set)).toBeNull();
    way.make = writeFile;
    await start().look();
    expect(made).toHaveLength(2);
  });

  it("create a directory inside of the data directory", async () => {
    const { lookAt, files } = await startBackups({ inData: true });
    expect(await lookAt(START)).toBe(1);
    expect(files()).toHaveLength(1);
  });

  it("fail with a reason, and without a file, where the directory or the copy is not usable", async () => {
    const set = await startBackups();
    const { app, root, data, folder, way, start, made } = set;
    const link = join(root, "link");
    symlinkSync(data, link);
    writeFileSync(join(root, "file"), "");
    mkdirSync(join(root, "closed"));
    const problemWith = async (backupDir: string, failure: string | null = null) => {
      app.deps.config.backupDir = backupDir;
      way.make = failure === null ? writeFile : async () => failure;
      await start().look();
      return (await stateOf(set)).problem;
    };
    expect(await problemWith(join(root, "missing"))).toBe("backup_no_folder");
    expect(await problemWith(join(root, "file"))).toBe("backup_no_folder");
    expect(await problemWith(data)).toBe("backup_data_folder");
    expect(await problemWith(link)).toBe("backup_data_folder");
    // Root may write everywhere.
    chmodSync(join(root, "closed"), 0o500);
    if (process.getuid?.() !== 0) expect(await problemWith(join(root, "closed"))).toBe("backup_not_writable");
    expect(made).toEqual([]);
    expect(await problemWith(folder, "wakeful: database or disk is full")).toBe("backup_no_space");
    expect(await problemWith(folder, "wakeful: ENOSPC: no space left on device, write")).toBe("backup_no_space");
    expect(await problemWith(folder, "wakeful: the copy is damaged: row 3 missing")).toBe("backup_damaged");
    expect(await problemWith(folder, "wakeful: EROFS: read-only file system")).toBe("backup_not_writable");
    expect(await problemWith(folder, "wakeful backup ended with SIGKILL")).toBe("backup_failed");
  });
});

it("BACKUP_DIR may not be DATA_DIR, however it is written", () => {
  for (const BACKUP_DIR of ["./data", "data/", `${process.cwd()}/data`])
    expect(() => readConfig({ BACKUP_DIR })).toThrow(`BACKUP_DIR=${BACKUP_DIR} is not usable: expected another`);
  expect(readConfig({ BACKUP_DIR: "data/backups" })).toMatchObject({ backupDir: "data/backups", backupKeep: 7 });
});

it("a hub on PostgreSQL refuses BACKUP_DIR and names pg_dump", () => {
  expect(() => readConfig({ DATABASE_URL: "postgres://wakeful:of-bob@db/wakeful", BACKUP_DIR: "/backup" })).toThrow(
    /BACKUP_DIR is for SQLite.*pg_dump/,
  );
});
