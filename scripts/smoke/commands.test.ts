import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { type HubProcess, installConsole, joinAs, runCommand, signIn, startConsole } from "./lib/hub";

const installation = installConsole();
const run = (...words: string[]) => runCommand(installation, words);
let running: HubProcess;

beforeAll(async () => {
  running = await startConsole(installation);
});

afterAll(async () => {
  await running.stop();
  installation.remove();
});

it("prints its version", async () => {
  for (const word of ["version", "--version"]) {
    const { out, code } = await run(word);
    expect(out).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(code).toBe(0);
  }
});

it("prints help for itself and each command", async () => {
  const { out } = await run("--help");
  for (const command of [
    "serve",
    "agent start",
    "run TOKEN -- COMMAND",
    "user reset-password",
    "backup",
    "restore",
    "migrate-data",
    "healthcheck",
    "version",
  ]) {
    expect(out).toContain(`  ${command}`);
    const [name = ""] = command.split(" ");
    const help = await run(name, "--help");
    expect(help.out).toMatch(new RegExp(`^usage: wakeful \\[?${name}`));
    expect(help.code).toBe(0);
  }
});

it("names an unknown command", async () => {
  const { err, code } = await run("dance");
  expect(err).toContain('no command "dance"');
  expect(code).toBe(1);
});

it.each([
  ["serve", "--port"],
  ["serve", "extra"],
  ["version", "extra"],
  ["healthcheck", "extra"],
])("%s says that it takes no %s", async (command, word) => {
  const { out, err, code } = await run(command, word);
  expect(err).toStartWith(`wakeful: ${command} takes no "${word}"`);
  expect([out, code]).toEqual(["", 1]);
});

describe("healthcheck", () => {
  it("exits 0 while the hub is healthy, and 1 when nothing answers", async () => {
    const well = await runCommand(installation, ["healthcheck"], { settings: { PORT: String(running.port) } });
    expect(well).toMatchObject({ out: "ok\n", code: 0 });
    const silent = await runCommand(installation, ["healthcheck"], { settings: { PORT: "1" } });
    expect(silent.err).toContain("nothing answers");
    expect(silent.code).toBe(1);
  });
});

it("healthcheck --deep reads all stored history", async () => {
  const { out, code } = await run("healthcheck", "--deep");
  expect(out).toMatch(/^ok: \d+ blocks and packs\n$/);
  expect(code).toBe(0);
});

describe("user reset-password", () => {
  it("sets the piped password and ends the user's sessions", async () => {
    const charlie = await joinAs(running, "charlie");
    const reset = await runCommand(installation, ["user", "reset-password", "Charlie"], {
      input: "another password\n",
    });
    expect(reset).toMatchObject({ out: "The password of charlie is changed.\n", code: 0 });
    expect((await charlie.get("/api/auth/me")).status).toBe(401);
    expect(signIn(running, "charlie")).rejects.toThrow("invalid_credentials");
    expect((await (await signIn(running, "charlie", "another password")).get("/api/auth/me")).status).toBe(200);
  });

  it("generates and prints a password when none is piped in", async () => {
    await joinAs(running, "alice");
    const { out } = await run("user", "reset-password", "alice");
    const [, password = ""] = /^The new password of alice is (\S{16,})\n$/.exec(out) ?? [];
    expect((await (await signIn(running, "alice", password)).get("/api/auth/me")).status).toBe(200);
  });

  it("names an unknown user", async () => {
    const { err, code } = await run("user", "reset-password", "nobody");
    expect(err).toContain("there is no user nobody");
    expect(code).toBe(1);
  });
});
