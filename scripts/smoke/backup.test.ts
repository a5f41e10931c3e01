import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, it } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type HubProcess, installConsole, joinAs, monitorOf, PASSWORD, runCommand, startConsole } from "./lib/hub";

const installation = installConsole();
const run = (...words: string[]) => runCommand(installation, words);
const data = join(installation.folder, "data");
const copy = join(installation.folder, "copy.db");
let running: HubProcess | null = null;
let token = "";
/** The session stored in the backup. */
let first = "";

const stop = async () => {
  await running?.stop();
  running = null;
};
const signIn = async () => {
  const { as } = running as HubProcess;
  token = (await as().post("/api/auth/login", { username: "bob", password: PASSWORD })).body.token;
};
const names = async () => {
  const { body } = await (running as HubProcess).as(token).get("/api/monitors");
  return body.monitors.map(({ name }) => name).toSorted();
};
const add = async (name: string) => {
  const { as } = running as HubProcess;
  const { status, text } = await as(token).post("/api/monitors", {
    ...monitorOf("http://127.0.0.1:9/", name),
    active: false,
  });
  if (status !== 201) throw new Error(text);
};

beforeAll(async () => {
  running = await startConsole(installation);
  await joinAs(running, "bob");
  await signIn();
  first = token;
  await add("Kept");
});

afterAll(async () => {
  await stop();
  installation.remove();
});

it("copies the database of a running hub to one private file without overwriting another", async () => {
  const { out, err, code } = await run("backup", copy);
  expect({ err, code }).toEqual({ err: "", code: 0 });
  expect(out).toStartWith(`Wrote ${copy} (`);
  expect(out).toContain("users 1, monitors 1,");
  const { body } = await (running as HubProcess).as(token).get("/api/system");
  expect(Date.parse(String(body.last_backup))).toBeGreaterThan(0);
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  const again = await run("backup", copy);
  expect(again.err).toContain("exists already");
  expect(again.code).toBe(1);
  expect((await run("backup", "--force", copy)).code).toBe(0);
  expect(readdirSync(installation.folder).filter((name) => name.includes("unfinished"))).toEqual([]);
});

it("refuses to replace the database of a running hub", async () => {
  const { err, code } = await run("restore", copy);
  expect(err).toContain("stop the hub that runs on it first");
  expect(code).toBe(1);
  expect(await names()).toEqual(["Kept"]);
});

it("restores a backup, ends all sessions, and keeps the replaced database", async () => {
  await add("Later");
  await stop();
  const junk = join(installation.folder, "junk.db");
  writeFileSync(junk, "no database");
  expect((await run("restore", junk)).err).toContain("no SQLite database at all");

  // A leftover of an interrupted restore.
  writeFileSync(join(data, "wakeful.db.0a1b2c3d.unfinished"), "");
  const { out, code } = await run("restore", copy);
  expect(out).toContain(`Restored ${copy}: users 1, monitors 1,`);
  expect(code).toBe(0);
  const [before = ""] = readdirSync(data).filter((name) => name.includes(".before-"));
  expect(readdirSync(data).toSorted()).toEqual(["wakeful.db", before].toSorted());
  running = await startConsole(installation);
  expect((await running.as(first).get("/api/auth/me")).status).toBe(401);
  await signIn();
  expect(await names()).toEqual(["Kept"]);
  await stop();
  expect((await run("restore", join(data, before))).code).toBe(0);
  running = await startConsole(installation);
  await signIn();
  expect(await names()).toEqual(["Kept", "Later"]);
  await stop();
});

it("refers users of PostgreSQL to its own tools", async () => {
  const settings = { DATABASE_URL: "postgres://wakeful:of-bob@db.example/wakeful" };
  for (const [command, tool] of [
    ["backup", "pg_dump"],
    ["restore", "pg_restore"],
  ] as const) {
    const { err, code } = await runCommand(installation, [command, copy], { settings });
    expect(err).toContain(tool);
    expect(err).not.toContain("of-bob");
    expect(code).toBe(1);
  }
});

it("moves all data to another database, including sessions", async () => {
  const target = join(installation.folder, "moved/wakeful.db");
  const { out, err, code } = await run("migrate-data", "--from", `sqlite:${copy}`, "--to", `sqlite:${target}`);
  expect({ err, code }).toEqual({ err: "", code: 0 });
  expect(out).toMatch(/copied +monitors: 1 of 1\n/);
  expect(out).toMatch(/All [\d,]+ rows in \S+ are the same/);
  running = await startConsole(installation, { DATA_DIR: join(installation.folder, "moved") });
  token = first;
  expect(await names()).toEqual(["Kept"]);
  const live = await run("migrate-data", "--from", `sqlite:${target}`, "--to", `sqlite:${target}2`);
  expect(live.err).toContain("is open in another program");
  expect(existsSync(`${target}2`)).toBe(false);
});

it("refuses to start on a partially moved database", async () => {
  const folder = join(installation.folder, "half");
  mkdirSync(folder);
  const file = join(folder, "wakeful.db");
  copyFileSync(copy, file);
  const client = new Database(file);
  client.exec("insert into app_settings (key, value) values ('moving', '{}')");
  client.close();
  const { err, code } = await runCommand(installation, [], { settings: { DATA_DIR: folder, PORT: "0" } });
  expect(err).toContain("this database is half moved");
  expect(code).toBe(1);
});
