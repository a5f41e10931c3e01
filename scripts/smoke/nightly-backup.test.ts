import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, it } from "bun:test";
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type HubProcess, installConsole, joinAs, runCommand, startConsole } from "./lib/hub";
import { until } from "./lib/until";

const installation = installConsole();
const folder = join(installation.folder, "backups");
const SETTINGS = { BACKUP_DIR: folder };
let running: HubProcess | null = null;

const stop = async () => {
  await running?.stop();
  running = null;
};
const whole = () => readdirSync(folder).filter((name) => name.endsWith(".db"));
const ageOf = async ({ origin }: HubProcess): Promise<number | null> =>
  (await (await fetch(`${origin}/health`)).json()).backup_age;

beforeAll(() => mkdirSync(folder));
afterAll(async () => {
  await stop();
  installation.remove();
});

it("a hub makes a private, whole backup within a minute of its first start, and none at the next start", async () => {
  running = await startConsole(installation, SETTINGS);
  const alice = await joinAs(running, "alice");
  expect(await ageOf(running)).toBeNull();
  await until("the backup", async () => whole().length === 1);
  const [name = ""] = whole();
  expect(name).toMatch(/^wakeful-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-[0-9a-f]{8}\.db$/);
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  const copy = new Database(join(folder, name), { readonly: true });
  expect(copy.query("select username from users").all()).toEqual([{ username: "alice" }]);
  copy.close();
  const hub = running;
  await until("its age", async () => (await ageOf(hub)) !== null);
  expect((await alice.get("/api/system")).body).toMatchObject({
    last_backup: expect.any(String),
    next_backup: expect.any(String),
    backup_error: null,
  });
  await stop();
  running = await startConsole(installation, SETTINGS);
  expect(await ageOf(running)).toBeNumber();
  expect(whole()).toEqual([name]);
  await stop();
});

it("a settings check refuses a directory that is missing, and the hub starts with a warning", async () => {
  const settings = { BACKUP_DIR: join(installation.folder, "missing") };
  const { err, code } = await runCommand(installation, ["serve", "--check"], { settings });
  expect([code, err]).toEqual([1, expect.stringContaining("is not usable: the folder BACKUP_DIR does not exist")]);
  running = await startConsole(installation, settings);
  await until("the warning", async () => running?.log.some((line) => line.includes("no backups can be made")));
  await stop();
  expect(existsSync(settings.BACKUP_DIR)).toBe(false);
});

it("a backup that is killed in the middle leaves no file under its final name, and the next one works", async () => {
  const client = new Database(join(installation.folder, "data/wakeful.db"));
  client.exec("create table filler (bytes blob)");
  // The copy of 200 MB takes long enough to be met half way.
  for (let row = 0; row < 200; row++) client.query("insert into filler values (randomblob(1000000))").run();
  client.close();
  const file = join(folder, "killed.db");
  const child = Bun.spawn([installation.executable, "backup", file], { cwd: installation.folder, stdout: "ignore" });
  await until("a part of the copy", async () =>
    readdirSync(folder).some((name) => name.startsWith("killed.db.") && statSync(join(folder, name)).size > 0),
  );
  child.kill("SIGKILL");
  await child.exited;
  expect(existsSync(file)).toBe(false);
  expect((await runCommand(installation, ["backup", file])).code).toBe(0);
});

const canUnshare = process.getuid?.() === 0 && Bun.spawnSync(["unshare", "--mount", "true"]).exitCode === 0;

it.skipIf(!canUnshare)("a backup onto a disk that becomes full says so and leaves nothing", async () => {
  const full = join(installation.folder, "full");
  mkdirSync(full);
  const script = 'mount -t tmpfs -o size=10M tmpfs "$0" && "$@"; code=$?; ls -A "$0"; exit $code';
  const backup = [installation.executable, "backup", join(full, "copy.db")];
  const child = Bun.spawn(["unshare", "--mount", "sh", "-c", script, full, ...backup], {
    cwd: installation.folder,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  expect({ code: await child.exited, out, err }).toEqual({
    code: 1,
    out: "",
    err: "wakeful: database or disk is full\n",
  });
});
