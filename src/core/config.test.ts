import { describe, expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { repository } from "../build-info";
import { ConfigError, readConfig } from "./config";
import { SECRET_SETTINGS } from "./settings/environment";
import { SETTINGS, settingsTable } from "./settings/list";

const refusal = (env: Record<string, string>): string => {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  return "accepted";
};

it("every setting has a default", () => {
  expect(readConfig({})).toMatchObject({
    host: "0.0.0.0",
    port: 8080,
    basePath: "/",
    dataDir: "./data",
    databaseUrl: "",
    dialect: "sqlite",
    publicUrl: "",
    logLevel: "info",
    trustProxy: false,
    registration: "open",
    admin: null,
    jwtSecret: "",
    privateTargets: "admin",
    adminSees: "all",
    connectivityTarget: null,
    retention: { checkDays: 365, hourDays: 365 },
  });
});

it("an empty setting counts as not set", () => {
  const names =
    "HOST PORT BASE_PATH DATA_DIR DATABASE_URL PUBLIC_URL LOG_LEVEL TRUST_PROXY REGISTRATION ADMIN_USERNAME";
  const more =
    "ADMIN_PASSWORD JWT_SECRET PRIVATE_TARGETS CONNECTIVITY_TARGET RETENTION_CHECK_DAYS RETENTION_HOUR_DAYS METRICS_TOKEN";
  const empty = Object.fromEntries(`${names} ${more}`.split(" ").map((name) => [name, ""]));
  expect(readConfig(empty)).toEqual(readConfig({}));
});

it("the mail server has the usual port of its encryption, and its login as it was before the address encoded it", () => {
  const mailOf = (SMTP_URL: string) => readConfig({ SMTP_URL, MAIL_FROM: "Wakeful <wakeful@example.com>" }).mail;
  const from = "Wakeful <wakeful@example.com>";
  expect(mailOf("smtp://bob%40example.com:p%3Aw%2F@mail.example")).toEqual({
    ...{ host: "mail.example", port: "587", security: "starttls", from },
    ...{ user: "bob@example.com", password: "p:w/" },
  });
  expect(mailOf("smtps://mail.example")).toEqual({ host: "mail.example", port: "465", security: "tls", from });
  expect(mailOf("smtp://[::1]:2525?security=none")).toEqual({ host: "::1", port: "2525", security: "none", from });
});

it("an invalid mail server is refused without its password", () => {
  const MAIL_FROM = "wakeful@example.com";
  const bad = ["mail.example", "http://bob:hunter2@mail.example", "smtp://bob:hunter2@mail.example/?security=weak"];
  for (const SMTP_URL of [...bad, "smtp://bob:hunter2@mail.example/inbox", "smtp://bob:%zz@mail.example"]) {
    const message = refusal({ SMTP_URL, MAIL_FROM });
    expect(message).toStartWith("SMTP_URL is not usable: expected smtp://user:password@host:587");
    expect(message).not.toContain("hunter2");
  }
  expect(refusal({ SMTP_URL: "smtp://mail.example" })).toContain("set both or neither");
  expect(refusal({ MAIL_FROM })).toContain("set both or neither");
  for (const from of ["no address", "a@b.example\r\nBcc: c@d.example", "=?utf-8?q?x?= <a@b.example>"])
    expect(refusal({ SMTP_URL: "smtp://mail.example", MAIL_FROM: from })).toStartWith("MAIL_FROM=");
});

describe("the error of an invalid setting names it:", () => {
  const bad: Record<string, string[]> = {
    PORT: ["x", "-1", "65536", "80.5"],
    BASE_PATH: ["/a b", "/<script>", '/"', "/ä"],
    DATABASE_URL: ["mysql://host/db", "sqlite.db", "postgres:host"],
    PUBLIC_URL: ["console.example", "ftp://console.example"],
    DEFAULT_LANGUAGE: ["fr", "en", "EN-US", "zh-CN,en-US"],
    LOG_LEVEL: ["verbose", "INFO"],
    TRUST_PROXY: ["yes", "2"],
    REGISTRATION: ["shut"],
    PRIVATE_TARGETS: ["some"],
    ADMIN_SEES: ["mine"],
    REQUIRE_2FA: ["1", "users"],
    CONNECTIVITY_TARGET: ["1.1.1.1", "1.1.1.1:0", "1.1.1.1:65536", ":53", "http://1.1.1.1:80", "a b:1", "x/y:1"],
    RETENTION_CHECK_DAYS: ["0", "3651", "x"],
    RETENTION_HOUR_DAYS: ["6", "1e9"],
    JWT_SECRET: ["short"],
    LINK_BLOG: ["x"],
    LINK_REPOSITORY: ["javascript:alert(1)"],
  };
  for (const [name, values] of Object.entries(bad)) {
    it(name, () => {
      for (const value of values)
        expect([value, refusal({ [name]: value })]).toEqual([value, expect.stringContaining(name)]);
    });
  }
});

it("the administrator's settings are required together", () => {
  expect(refusal({ ADMIN_USERNAME: "alice" })).toInclude("ADMIN_PASSWORD");
  expect(refusal({ ADMIN_PASSWORD: "long enough" })).toInclude("ADMIN_USERNAME");
  expect(refusal({ ADMIN_USERNAME: "alice", ADMIN_PASSWORD: "short" })).toInclude("ADMIN_PASSWORD");
  expect(refusal({ ADMIN_USERNAME: "x".repeat(65), ADMIN_PASSWORD: "long enough" })).toInclude("ADMIN_USERNAME");
  const { admin } = readConfig({ ADMIN_USERNAME: " alice ", ADMIN_PASSWORD: " kept as it is " });
  expect(admin).toEqual({ username: "alice", password: " kept as it is " });
});

it("the error of an invalid setting contains no secret", () => {
  const secrets: Record<string, string>[] = [
    { DATABASE_URL: "mysql://bob:hunter2@host/db" },
    { DATABASE_URL: "bob:hunter2@host/db" },
    { DATABASE_URL: "postgres://bob:hunter2/#@host/db" },
    { DATABASE_URL: "host=db user=bob password=hunter2" },
    { JWT_SECRET: "hunter2" },
    { METRICS_TOKEN: "hunter2" },
    { ADMIN_USERNAME: "alice", ADMIN_PASSWORD: "hunter2" },
    { ADMIN_PASSWORD: "hunter2" },
  ];
  for (const env of secrets) expect(refusal(env)).not.toInclude("hunter2");
});

it("URLs are accepted in their usual spellings", () => {
  const { basePath: _, ...rest } = readConfig({});
  for (const text of ["wakeful", "/wakeful", "wakeful/", "/wakeful/"]) {
    expect(readConfig({ BASE_PATH: text })).toEqual({ ...rest, basePath: "/wakeful/" });
  }
  expect(readConfig({ PUBLIC_URL: "https://console.example//" }).publicUrl).toBe("https://console.example");
  const target = (text: string) => readConfig({ CONNECTIVITY_TARGET: text }).connectivityTarget;
  expect(target("1.1.1.1:53")).toEqual({ host: "1.1.1.1", port: 53 });
  expect(target("dns.example:853")).toEqual({ host: "dns.example", port: 853 });
  expect(target("[2606:4700::1111]:53")).toEqual({ host: "2606:4700::1111", port: 53 });
  expect(readConfig({ LINK_BLOG: "" }).links.blog).toBe("");
});

it("PROVIDER_ORIGINS names another origin for each of those before an equals sign", () => {
  const read = (text: string) => readConfig({ NODE_ENV: "test", PROVIDER_ORIGINS: text }).providerOrigins;
  expect([...read(" https://a.example/=http://127.0.0.1:81 , https://b.example = https://c.example ")]).toEqual([
    ["https://a.example", "http://127.0.0.1:81"],
    ["https://b.example", "https://c.example"],
  ]);
  for (const text of ["https://a.example", "a=b", "https://a.example=", "https://a.example=https://b.example/x"])
    expect(() => read(text)).toThrow("PROVIDER_ORIGINS");
});

it("DATABASE_URL selects the engine, and TEST_DATABASE_URL does in tests", () => {
  const url = "postgres://bob@db.example/wakeful";
  expect(readConfig({ DATABASE_URL: url })).toMatchObject({ dialect: "postgres", databaseUrl: url });
  expect(readConfig({ NODE_ENV: "test", DATABASE_URL: url }).dialect).toBe("sqlite");
  expect(readConfig({ NODE_ENV: "test", TEST_DATABASE_URL: url }).dialect).toBe("postgres");
});

describe("the list of settings", () => {
  /** Every variable that readConfig reads. Two are for tests only. */
  const read = () => {
    const names = new Set<string>();
    readConfig(new Proxy({}, { get: (_, name) => void names.add(String(name)) }));
    const files = SECRET_SETTINGS.map((name) => `${name}_FILE`);
    return [...names].filter((name) => !["NODE_ENV", "TEST_DATABASE_URL", ...files].includes(name)).sort();
  };

  it("in `serve --help` has exactly the variables that are read", () => {
    expect(SETTINGS.map(({ name }) => name).sort()).toEqual(read());
  });

  it("in docs/settings.md is what `bun run docs` writes", () => {
    expect(readFileSync(resolve(import.meta.dir, "../../docs/settings.md"), "utf8")).toContain(
      `\n\n${settingsTable()}\n\n`,
    );
  });

  it("shows the defaults that readConfig uses", () => {
    const set = SETTINGS.filter(({ fallback }) => fallback && !fallback.includes(" "));
    expect(set.length).toBeGreaterThan(15);
    expect(readConfig(Object.fromEntries(set.map(({ name, fallback }) => [name, fallback])))).toEqual(readConfig({}));
  });
});

it("the footer's links have public sites as defaults, and the repository's is that of the build, if it names one", () => {
  const { links } = readConfig({ DATA_DIR: "/tmp/x" });
  expect(links).toEqual({
    blog: repository ? `${repository}/releases` : "https://bun.sh/blog",
    video: "https://www.youtube.com",
    tempMail: "https://temp-mail.org",
    repository,
  });
  const set = readConfig({ DATA_DIR: "/tmp/x", LINK_BLOG: "", LINK_REPOSITORY: "https://git.example/wakeful/" }).links;
  expect(set).toEqual({ ...links, blog: "", repository: "https://git.example/wakeful" });
});
