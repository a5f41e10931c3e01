import { afterAll, describe, expect, it } from "bun:test";
import { readdirSync } from "node:fs";
import { installConsole, runCommand, type Settings } from "./lib/hub";

const installation = installConsole();
afterAll(installation.remove);

/** Invalid settings, by the name that the error message must contain. */
const refused: Record<string, Settings> = {
  PORT: { PORT: "eighty" },
  BASE_PATH: { BASE_PATH: "/what is this" },
  DATABASE_URL: { DATABASE_URL: "mysql://alice:hidden-word@localhost/wakeful" },
  PUBLIC_URL: { PUBLIC_URL: "status.example.com" },
  LOG_LEVEL: { LOG_LEVEL: "loud" },
  TRUST_PROXY: { TRUST_PROXY: "perhaps" },
  REGISTRATION: { REGISTRATION: "maybe" },
  ADMIN_PASSWORD: { ADMIN_USERNAME: "alice", ADMIN_PASSWORD: "short" },
  ADMIN_USERNAME: { ADMIN_PASSWORD: "correct horse battery" },
  JWT_SECRET: { JWT_SECRET: "hidden-word" },
  PRIVATE_TARGETS: { PRIVATE_TARGETS: "some" },
  CONNECTIVITY_TARGET: { CONNECTIVITY_TARGET: "nowhere" },
  RETENTION_CHECK_DAYS: { RETENTION_CHECK_DAYS: "0" },
  RETENTION_HOUR_DAYS: { RETENTION_HOUR_DAYS: "a year" },
  DATA_DIR: { DATA_DIR: "/dev/null/data" },
  DOWNLOADS_DIR: { DOWNLOADS_DIR: "nowhere" },
  HOST: { HOST: "192.0.2.1" },
  LINK_BLOG: { LINK_BLOG: "blog" },
};

describe("serve --check", () => {
  const check = (settings: Settings) => runCommand(installation, ["serve", "--check"], { settings });

  it("exits 0 where the settings can be used, creates nothing, and names a variable that looks like a setting", async () => {
    const { out, err, code } = await check({ PROT: "hidden-word" });
    expect([out, code]).toEqual(["ok: the settings can be used, and the database answers\n", 0]);
    expect(err).toBe("wakeful: PROT is not a setting and is ignored. Did you mean PORT?\n");
    expect(readdirSync(installation.folder)).toEqual(["wakeful"]);
  });

  it("exits 1 with the setting that can't be used", async () => {
    for (const [name, value] of [
      ["PORT", "eighty"],
      ["DATA_DIR", "/dev/null/data"],
      ["DATABASE_URL", "postgres://alice:hidden-word@127.0.0.1:1/wakeful"],
    ] as const) {
      const { out, err, code } = await check({ [name]: value });
      expect([name, out, code]).toEqual([name, "", 1]);
      expect(err).toMatch(new RegExp(`^wakeful: ${name}=?.* is not usable: `));
      expect(err).not.toContain("hidden-word");
    }
  });
});

it("leaves no files when it fails to start", async () => {
  await runCommand(installation, [], { settings: { PORT: "eighty" } });
  expect(readdirSync(installation.folder)).toEqual(["wakeful"]);
});

describe("fails to start with a message that names an invalid setting", () => {
  for (const [name, settings] of Object.entries(refused)) {
    it(name, async () => {
      const { out, err, code } = await runCommand(installation, [], { settings });
      expect(code).toBe(1);
      expect(err).toStartWith("wakeful: ");
      expect(err).toContain(name);
      expect(err.trim().split("\n")).toHaveLength(1);
      expect(out + err).not.toContain("hidden-word");
    });
  }
});

it("fails to start without revealing the password when PostgreSQL is unreachable", async () => {
  const settings = { DATABASE_URL: "postgres://alice:hidden-word@127.0.0.1:1/wakeful" };
  const { out, err, code } = await runCommand(installation, [], { settings });
  expect([out, code]).toEqual(["", 1]);
  expect(err).toStartWith("wakeful: DATABASE_URL is not usable: ");
  expect(err).not.toContain("hidden-word");
});

it("fails to start with a message that names the port when it is in use", async () => {
  const taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port } = taken;
  const settings = { HOST: "127.0.0.1", PORT: String(port) };
  const { err, code } = await runCommand(installation, [], { settings });
  await taken.stop(true);
  expect(err).toBe(`wakeful: PORT=${port} is not usable: something listens there already\n`);
  expect(code).toBe(1);
});
