import { resolve } from "node:path";
import { repository, version } from "../build-info";
import { LANGUAGES, type Language } from "../shared/language";
import { LIMITS } from "../shared/limits";
import { BOT_TOKEN } from "../shared/notifications";
import {
  basePath,
  ConfigError,
  connectivityTarget,
  type Environment,
  fail,
  flag,
  heartbeatUrl,
  integer,
  oneOf,
  port,
  postgresUrl,
  secretOf,
  securityContact,
  trustedProxies,
  webAddress,
} from "./settings/environment";
import { SETTINGS } from "./settings/list";
import { type MailServer, mailServer } from "./settings/mail";
import { misspelledSettings } from "./settings/misspelled";
import { type SignInSettings, signInSettings } from "./settings/sign-in";

export { ConfigError } from "./settings/environment";

/** The supported database engines. */
export type Dialect = "sqlite" | "postgres";

/** The settings, read once from the environment and validated. */
export type Config = SignInSettings & {
  host: string;
  port: number;
  /** The path of the page, with a leading and a trailing slash. */
  basePath: string;
  dataDir: string;
  /** The directory of nightly backups; empty: none are made. */
  backupDir: string;
  /** How many of them are kept. */
  backupKeep: number;
  /** A postgres:// URL; empty for SQLite in `dataDir`. */
  databaseUrl: string;
  /** An address of the same database that passes notifications on; empty: `databaseUrl`. */
  listenDatabaseUrl: string;
  dialect: Dialect;
  /** The public URL of the hub without a trailing slash; empty when not set. */
  publicUrl: string;
  /** The language of pages whose visitors ask for none, and of alerts of users who have chosen none. */
  defaultLanguage: Language;
  logLevel: LogLevel;
  trustProxy: boolean;
  /** With `trustProxy`: peers whose forwarding headers count, as addresses or CIDR ranges; empty: every peer. */
  trustedProxies: string[];
  /** A session ends after this many days without use. */
  sessionIdleDays: number;
  admin: { username: string; password: string } | null;
  jwtSecret: string;
  privateTargets: "all" | "admin" | "none";
  /** Whether administrators see what belongs to teams that they are no members of. */
  adminSees: "all" | "teams";
  /** Who has to have a second factor. */
  require2fa: "off" | "admins" | "all";
  connectivityTarget: { host: string; port: number } | null;
  /** An address that is requested each minute while checks run on time; empty for none. */
  heartbeatUrl: string;
  /** The shortest interval of checks that may be set, in seconds. */
  minInterval: number;
  /** Changes within half an hour that make a target unstable; 0 for never. */
  alertFlapChanges: number;
  /** Seconds that an alert waits for others, where no policy says otherwise. */
  alertGroupSeconds: number;
  retention: { checkDays: number; sampleDays: number; hourDays: number; auditDays: number };
  quotas: Quotas;
  /** The largest file of another product that can be imported, in bytes. */
  importMaxBytes: number;
  /** Milliseconds that the page waits for an answer of the API. */
  apiTimeout: number;
  /** Directory of the agent's executables; empty: this executable offers itself. */
  downloadsDir: string;
  /** URL of executables that are not in the directory; empty when not set. */
  releaseUrl: string;
  /** URL of the Bot API; another one is for a self-hosted Bot API server, and for tests. */
  telegramApiUrl: string;
  /** Replacements for the origins of notification providers. */
  providerOrigins: ReadonlyMap<string, string>;
  resendApiUrl: string;
  /** The built-in channel, or null. */
  telegramDefault: { botToken: string; chatId: string } | null;
  /** The mail server for mails of the hub itself, as the fields of an SMTP channel, or null. */
  mail: MailServer | null;
  /** Token for /metrics; empty: only a user's API key or session. */
  metricsToken: string;
  /** A mailto: or https:// address for reports of vulnerabilities; empty when not set. */
  securityContact: string;
  /** Variables that are no settings but nearly have the name of one. */
  misspelled: ReturnType<typeof misspelledSettings>;
  /** Of the footer of every page, and of the home page to the repository. An empty one is hidden. */
  links: Links;
};

/** Limits of one user with role `user`; administrators are unlimited. */
type Quotas = {
  monitors: number;
  servers: number;
  channels: number;
  keys: number;
  /** Unused enrollment tokens. */
  enrollmentTokens: number;
  /** Teams that they own besides the personal one. */
  teams: number;
  checksInFlight: number;
  /** Requests of scheduled checks to one host, per second. */
  checksPerHost: number;
};

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";
type Links = { blog: string; video: string; tempMail: string; repository: string };
/** Tests name their database by a separate variable. */
const databaseUrlOf = (env: Environment): string =>
  env.NODE_ENV === "test" ? (env.TEST_DATABASE_URL ?? "") : secretOf(env, "DATABASE_URL");

/** What systemd sets in the environment of a service of the type `notify`. */
export type ServiceEnvironment = { NOTIFY_SOCKET?: string | undefined; WATCHDOG_USEC?: string | undefined };
export const serviceEnvironment: ServiceEnvironment = {
  NOTIFY_SOCKET: process.env.NOTIFY_SOCKET,
  WATCHDOG_USEC: process.env.WATCHDOG_USEC,
};

/** The engine of this process. It is read while modules load, because tables are defined then. */
export const processDialect: Dialect =
  (process.env.NODE_ENV !== "test" && process.env.DATABASE_URL_FILE) || databaseUrlOf(process.env)
    ? "postgres"
    : "sqlite";

/** Where the hub on this machine tells whether it is healthy. */
export const healthAddress = ({ host, port, basePath }: Pick<Config, "host" | "port" | "basePath">): string => {
  const name = ["0.0.0.0", "::", ""].includes(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}${basePath}health`;
};

/** Whether requests on behalf of a user of this role may go to private addresses. */
export const mayReachPrivate = ({ privateTargets }: Pick<Config, "privateTargets">, role: "admin" | "user"): boolean =>
  privateTargets === "all" || (privateTargets === "admin" && role === "admin");

const quotas = (env: Environment): Quotas => {
  const quota = (name: string, fallback: number) => integer(env, `QUOTA_${name}`, [0, 1_000_000], fallback);
  return {
    monitors: quota("MONITORS", 200),
    servers: quota("SERVERS", 50),
    channels: quota("CHANNELS", 20),
    keys: quota("KEYS", 20),
    enrollmentTokens: quota("ENROLLMENT_TOKENS", 10),
    teams: quota("TEAMS", 5),
    checksInFlight: integer(env, "QUOTA_CHECKS_IN_FLIGHT", [1, 20_000], 50),
    checksPerHost: integer(env, "QUOTA_CHECKS_PER_HOST", [1, 10_000], 5),
  };
};

/** Pairs of origins such as `https://api.pushover.net=https://proxy.example`, separated by commas. */
const providerOrigins = (env: Environment): ReadonlyMap<string, string> => {
  const pairs = (env.PROVIDER_ORIGINS ?? "").split(",").filter((pair) => pair.trim() !== "");
  const originOf = (text = "") => {
    const url = new URL(webAddress({ PROVIDER_ORIGINS: text.trim() || "nothing" }, "PROVIDER_ORIGINS", ""));
    return url.pathname === "/" ? url.origin : fail("PROVIDER_ORIGINS", text, "origins without a path");
  };
  return new Map(pairs.map((pair) => pair.split("=")).map(([from, to]) => [originOf(from), originOf(to)]));
};

const linksOf = (env: Environment): Links => ({
  blog: webAddress(env, "LINK_BLOG", repository ? `${repository}/releases` : "https://bun.sh/blog"),
  video: webAddress(env, "LINK_VIDEO", "https://www.youtube.com"),
  tempMail: webAddress(env, "LINK_TEMP_MAIL", "https://temp-mail.org"),
  repository: webAddress(env, "LINK_REPOSITORY", repository),
});

const dataDirOf = (env: Environment): string => env.DATA_DIR || "./data";

const backupDir = (env: Environment, database: string): string => {
  const path = env.BACKUP_DIR ?? "";
  if (path && database)
    throw new ConfigError(
      "BACKUP_DIR is for SQLite: the data lie in PostgreSQL (DATABASE_URL), which is backed up by its own tool, pg_dump.",
    );
  if (path && resolve(path) === resolve(dataDirOf(env)))
    fail("BACKUP_DIR", path, "another directory than DATA_DIR, such as one inside of it");
  return path;
};

const administrator = (env: Environment): Config["admin"] => {
  const [username, password] = [env.ADMIN_USERNAME?.trim() ?? "", secretOf(env, "ADMIN_PASSWORD")];
  if (!username && !password) return null;
  if (!username) throw new ConfigError("ADMIN_PASSWORD is set but ADMIN_USERNAME is not: set both or neither.");
  if (username.length > 64) fail("ADMIN_USERNAME", username, "at most 64 characters");
  if (password.length < 8 || password.length > 256)
    throw new ConfigError("ADMIN_PASSWORD is not usable: expected 8 to 256 characters.");
  return { username, password };
};

const telegramDefault = (env: Environment): Config["telegramDefault"] => {
  const [botToken, chatId] = [secretOf(env, "TELEGRAM_BOT_TOKEN"), env.TELEGRAM_CHAT_ID ?? ""];
  if (!botToken && !chatId) return null;
  if (!BOT_TOKEN.test(botToken))
    throw new ConfigError("TELEGRAM_BOT_TOKEN is not usable: expected a token from BotFather.");
  if (!chatId) throw new ConfigError("TELEGRAM_BOT_TOKEN is set but TELEGRAM_CHAT_ID is not: set both or neither.");
  return { botToken, chatId };
};

/**
 * Reads the settings from an environment.
 * @throws {ConfigError} naming the invalid variable
 */
export const readConfig = (env: Environment): Config => {
  const database = postgresUrl("DATABASE_URL", databaseUrlOf(env));
  const jwtSecret = secretOf(env, "JWT_SECRET");
  if (jwtSecret && jwtSecret.length < 32)
    throw new ConfigError("JWT_SECRET is not usable: expected at least 32 characters.");
  const metricsToken = secretOf(env, "METRICS_TOKEN");
  if (metricsToken && metricsToken.length < 16)
    throw new ConfigError("METRICS_TOKEN is not usable: expected at least 16 characters.");
  const publicUrl = webAddress(env, "PUBLIC_URL", "");
  return {
    host: env.WAKEFUL_HOST || env.HOST || "0.0.0.0",
    port: port(env),
    basePath: basePath(env),
    dataDir: dataDirOf(env),
    backupDir: backupDir(env, database),
    backupKeep: integer(env, "BACKUP_KEEP", [1, 1000], 7),
    databaseUrl: database,
    listenDatabaseUrl: postgresUrl("LISTEN_DATABASE_URL", secretOf(env, "LISTEN_DATABASE_URL")),
    dialect: database ? "postgres" : "sqlite",
    publicUrl,
    defaultLanguage: oneOf(env, "DEFAULT_LANGUAGE", LANGUAGES, "zh-CN"),
    logLevel: oneOf(env, "LOG_LEVEL", ["debug", "info", "warn", "error", "silent"], "info"),
    trustProxy: flag(env, "TRUST_PROXY"),
    trustedProxies: trustedProxies(env),
    ...signInSettings(env, publicUrl),
    sessionIdleDays: integer(env, "SESSION_IDLE_DAYS", [1, 365], 14),
    admin: administrator(env),
    jwtSecret,
    adminSees: oneOf(env, "ADMIN_SEES", ["all", "teams"], "all"),
    require2fa: oneOf(env, "REQUIRE_2FA", ["off", "admins", "all"], "off"),
    privateTargets: oneOf(env, "PRIVATE_TARGETS", ["all", "admin", "none"], "admin"),
    connectivityTarget: connectivityTarget(env),
    heartbeatUrl: heartbeatUrl(env),
    minInterval: integer(env, "MIN_INTERVAL", [LIMITS.intervalMin, 60], 60),
    alertFlapChanges: integer(env, "ALERT_FLAP_CHANGES", [0, 100], 4),
    alertGroupSeconds: integer(env, "ALERT_GROUP_SECONDS", [0, 300], 10),
    retention: {
      checkDays: integer(env, "RETENTION_CHECK_DAYS", [1, 3650], 365),
      // Samples are accepted for two days, and a duplicate of a deleted one could not be detected.
      sampleDays: integer(env, "RETENTION_SAMPLE_DAYS", [3, 3650], 30),
      hourDays: integer(env, "RETENTION_HOUR_DAYS", [7, 3650], 365),
      auditDays: integer(env, "RETENTION_AUDIT_DAYS", [1, 3650], 90),
    },
    quotas: quotas(env),
    importMaxBytes: integer(env, "IMPORT_MAX_BYTES", [1_000_000, 1_000_000_000_000], 4 * 1024 ** 3),
    apiTimeout: integer(env, "API_TIMEOUT", [1000, 600_000], 10_000),
    downloadsDir: env.DOWNLOADS_DIR ?? "",
    releaseUrl: webAddress(env, "RELEASE_URL", repository ? `${repository}/releases/download/v${version}` : ""),
    telegramApiUrl: webAddress(env, "TELEGRAM_API_URL", "https://api.telegram.org"),
    resendApiUrl: webAddress(env, "RESEND_API_URL", "https://api.resend.com"),
    providerOrigins: providerOrigins(env),
    telegramDefault: telegramDefault(env),
    mail: mailServer(env),
    metricsToken,
    securityContact: securityContact(env),
    misspelled: misspelledSettings(
      env,
      SETTINGS.map(({ name }) => name),
    ),
    links: linksOf(env),
  };
};
