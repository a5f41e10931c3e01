import { afterAll, describe, expect, it } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError, readConfig } from "../config";

const misspelledSettings = (env: Record<string, string>) => readConfig(env).misspelled;

const folder = mkdtempSync(join(tmpdir(), "secrets-"));
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const SECRET = "a secret of at least 32 characters";

const problemOf = (env: Record<string, string>): string => {
  try {
    readConfig(env);
    return "";
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message;
  }
};

describe("a secret setting with _FILE", () => {
  it("is read from the file, without one line break at its end", () => {
    expect(readConfig({ JWT_SECRET_FILE: fileOf("one", `${SECRET}\n`) }).jwtSecret).toBe(SECRET);
    expect(readConfig({ JWT_SECRET_FILE: fileOf("two", `${SECRET}\r\n`) }).jwtSecret).toBe(SECRET);
    expect(readConfig({ JWT_SECRET_FILE: fileOf("three", `${SECRET} \n\n`) }).jwtSecret).toBe(`${SECRET} \n`);
    const address = fileOf("address", "postgres://wakeful:pass@127.0.0.1/wakeful\n");
    const config = readConfig({
      DATABASE_URL_FILE: address,
      LISTEN_DATABASE_URL_FILE: address,
      ADMIN_USERNAME: "alice",
      ADMIN_PASSWORD_FILE: fileOf("password", "a staple and more\n"),
      METRICS_TOKEN_FILE: fileOf("metrics", "0123456789abcdef\n"),
      TELEGRAM_BOT_TOKEN_FILE: fileOf("telegram", "123456:abcdefghijklmnopqrstuvwxyz0123456789\n"),
      TELEGRAM_CHAT_ID: "42",
      HEARTBEAT_URL_FILE: fileOf("heartbeat", "https://watch.example/ping/token\n"),
    });
    expect(config).toMatchObject({
      databaseUrl: "postgres://wakeful:pass@127.0.0.1/wakeful",
      listenDatabaseUrl: "postgres://wakeful:pass@127.0.0.1/wakeful",
      dialect: "postgres",
      admin: { username: "alice", password: "a staple and more" },
      metricsToken: "0123456789abcdef",
      telegramDefault: { botToken: "123456:abcdefghijklmnopqrstuvwxyz0123456789" },
      heartbeatUrl: "https://watch.example/ping/token",
    });
  });

  it("that cannot be used stops the start with the name of the variable, and without what the file holds", () => {
    const directory = join(folder, "directory");
    mkdirSync(directory);
    const wrong = fileOf("short", "too short");
    expect(problemOf({ JWT_SECRET_FILE: directory })).toBe(
      `JWT_SECRET_FILE=${directory} is not usable: it is a directory.`,
    );
    expect(problemOf({ METRICS_TOKEN_FILE: `${folder}/none` })).toBe(
      `METRICS_TOKEN_FILE=${folder}/none is not usable: the file does not exist.`,
    );
    expect(problemOf({ JWT_SECRET_FILE: fileOf("empty", "\n") })).toEndWith("is not usable: it is empty.");
    expect(problemOf({ JWT_SECRET_FILE: fileOf("huge", "x".repeat(65_537)) })).toEndWith("it is larger than 64 KiB.");
    expect(problemOf({ JWT_SECRET_FILE: "/dev/zero" })).toEndWith("is not usable: it is not a file.");
    expect(problemOf({ JWT_SECRET: SECRET, JWT_SECRET_FILE: fileOf("both", SECRET) })).toBe(
      "JWT_SECRET and JWT_SECRET_FILE are both set: set one of them.",
    );
    expect(problemOf({ JWT_SECRET_FILE: wrong })).toBe("JWT_SECRET is not usable: expected at least 32 characters.");
    for (const name of ["DATABASE_URL", "HEARTBEAT_URL"]) {
      const problem = problemOf({ [`${name}_FILE`]: wrong });
      expect(problem).toStartWith(name);
      expect(problem).not.toInclude("too short");
    }
  });

  it.skipIf(process.getuid?.() === 0)("that is not readable stops the start with the name of the variable", () => {
    const path = fileOf("closed", SECRET);
    chmodSync(path, 0);
    expect(problemOf({ JWT_SECRET_FILE: path })).toBe(`JWT_SECRET_FILE=${path} is not usable: it can't be read.`);
  });
});

it("WAKEFUL_HOST and WAKEFUL_PORT win over HOST and PORT, which a shell may have exported", () => {
  const { host, port } = readConfig({
    HOST: "workstation",
    PORT: "1",
    WAKEFUL_HOST: "127.0.0.1",
    WAKEFUL_PORT: "9000",
  });
  expect([host, port]).toEqual(["127.0.0.1", 9000]);
  // As Kubernetes sets it beside a service of the name `wakeful`.
  expect(readConfig({ PORT: "9000", WAKEFUL_PORT: "tcp://10.0.0.1:8080" }).port).toBe(9000);
  expect(readConfig({ HOST: "127.0.0.2", WAKEFUL_HOST: "" }).host).toBe("127.0.0.2");
  expect(problemOf({ WAKEFUL_PORT: "x" })).toStartWith("WAKEFUL_PORT=x is not usable");
});

describe("a variable whose name is nearly that of a setting", () => {
  it("is named with the setting, without its value", () => {
    const env = {
      ...{ PROT: "1", HSOT: "x", PUBLICURL: "x", DATABSE_URL: "secret", JWT_SECRET_FIEL: "x", WAKEFUL_PUBLIC_URL: "x" },
      WAKEFUL_NONSENSE: "x",
    };
    expect(misspelledSettings(env)).toEqual([
      { name: "PROT", setting: "PORT" },
      { name: "HSOT", setting: "HOST" },
      { name: "PUBLICURL", setting: "PUBLIC_URL" },
      { name: "DATABSE_URL", setting: "DATABASE_URL" },
      { name: "JWT_SECRET_FIEL", setting: "JWT_SECRET_FILE" },
      { name: "WAKEFUL_PUBLIC_URL", setting: "PUBLIC_URL" },
      { name: "WAKEFUL_NONSENSE", setting: "" },
    ]);
  });

  it("is not reported for settings, common variables and those of the agent, and for ten variables at most", () => {
    const common =
      "PATH HOME HOSTNAME POST PORTS SORT LANG PWD SHELL TERM USER HOSTS LOGLEVEL_X TZ NO_PROXY WAKEFUL_TOKEN WAKEFUL_SERVICE_HOST";
    const env = Object.fromEntries(common.split(" ").map((name) => [name, "x"]));
    expect(misspelledSettings({ ...env, PORT: "1", DATABASE_URL_FILE: "", WAKEFUL_HOST: "x" })).toEqual([]);
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, nth) => [`WAKEFUL_${nth}`, "x"]));
    expect(misspelledSettings(many)).toHaveLength(10);
  });
});
