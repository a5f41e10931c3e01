import { onTestFinished } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { markOf } from "../../modules/system/backups/folder";
import { createBackups, type MakeBackup } from "../../modules/system/backups/nightly";
import { createTestApp } from "../app";
import { START } from "../clock";

/** The mark of the tests in names of backups. */
export const MARK = markOf("the installation of the tests");
/** When backups of this installation are due. */
export const DUE = new Date(START).setHours(3, Number.parseInt(MARK, 16) % 60, 0, 0);

export const writeFile: MakeBackup = async (file) => {
  writeFileSync(file, "a backup");
  return null;
};

/** A hub with a directory for backups, its data directory beside it, and a way of making them that can be exchanged. */
export const startBackups = async ({
  env = {},
  inData = false,
}: {
  env?: Record<string, string>;
  inData?: boolean;
} = {}) => {
  const root = mkdtempSync(join(tmpdir(), "wakeful-backups-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const data = join(root, "data");
  const folder = inData ? join(data, "backups") : join(root, "backups");
  mkdirSync(data);
  if (!inData) mkdirSync(folder);
  const app = await createTestApp({ env: { DATA_DIR: data, BACKUP_DIR: folder, ...env } });
  const made: string[] = [];
  const way = { make: writeFile };
  const start = () =>
    createBackups(app.deps, (file, stop) => {
      made.push(file);
      return way.make(file, stop);
    });
  const files = () => readdirSync(folder).toSorted();
  const backups = start();
  const lookAt = async (time: number) => {
    app.clock.set(time);
    await backups.look();
    return made.splice(0).length;
  };
  const system = async () => (await app.as((await app.people()).alice).get("/api/system")).body;
  return { app, root, data, folder, files, way, backups, start, made, lookAt, system };
};
