import { expect, it } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../testing/agent-program";
import { FatalError, machineSecret, openState, readEnrollment, writeEnrollment, writeWhole } from "./state";

const ENROLLMENT = { server: "http://a.example/", agent: 7, key: "wka_key", token: "hash" };

it("stores the report key in a file that only its user can read", () => {
  const folder = join(temporaryFolder(), "made/by/it");
  openState(folder);
  writeEnrollment(folder, ENROLLMENT);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "agent.json")).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["agent.json"]);
  expect(readEnrollment(folder)).toEqual(ENROLLMENT);
});

it("replaces a state file atomically, also after a partial write", () => {
  const path = join(temporaryFolder(), "file");
  writeFileSync(`${path}.new`, "half", { mode: 0o666 });
  writeWhole(path, "whole");
  expect(readFileSync(path, "utf8")).toBe("whole");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(existsSync(`${path}.new`)).toBe(false);
});

it("treats a state file without an enrollment as not enrolled", () => {
  const folder = temporaryFolder();
  expect(readEnrollment(folder)).toBeNull();
  for (const text of ["", "{", "null", "{}", '{"server":"x","agent":"7","key":"k"}']) {
    writeFileSync(join(folder, "agent.json"), text);
    expect(readEnrollment(folder)).toBeNull();
  }
});

it("names the state directory when it cannot be written", () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  expect(() => openState(join(file, "below"))).toThrow(FatalError);
  expect(() => openState(join(file, "below"))).toThrow("choose another directory with --state");
});

it("creates the machine secret once, readable by its user only", () => {
  const folder = temporaryFolder();
  const secret = machineSecret(folder);
  expect(Buffer.from(secret, "base64url")).toHaveLength(32);
  expect(statSync(join(folder, "secret")).mode & 0o777).toBe(0o600);
  expect(machineSecret(folder)).toBe(secret);
  expect(machineSecret(temporaryFolder())).not.toBe(secret);
  writeFileSync(join(folder, "secret"), "");
  expect(machineSecret(folder)).toMatch(/^[\w-]{43}$/);
});
