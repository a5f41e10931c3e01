import { afterAll, describe, expect, it } from "bun:test";
import { readdirSync } from "node:fs";
import { installConsole, runCommand, type Settings } from "./console";

const installation = installConsole();
afterAll(installation.remove);

/** A setting that cannot be used, by the name that the refusal must say. */
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
  LINK_BLOG: { LINK_BLOG: "blog" },
};

describe("a setting that cannot be used stops the start with a sentence that names it", () => {
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

it("leaves nothing behind when it refuses to start", async () => {
  await runCommand(installation, [], { settings: { PORT: "eighty" } });
  expect(readdirSync(installation.folder)).toEqual(["wakeful"]);
});
