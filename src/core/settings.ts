/** One environment variable: its name, its default as shown to people, and what it means. */
export type Setting = { name: string; fallback: string; meaning: string };

const setting = (name: string, fallback: string, meaning: string): Setting => ({ name, fallback, meaning });

/** Every environment variable that `readConfig` reads, in the order in which `wakeful serve --help` lists them. */
export const SETTINGS: readonly Setting[] = [
  setting("HOST", "0.0.0.0", "address to listen on"),
  setting("PORT", "8080", "port to listen on"),
  setting("PUBLIC_URL", "", "public address of Wakeful, for links in alerts and commands"),
  setting("BASE_PATH", "/", "path under which a reverse proxy serves Wakeful"),
  setting("TRUST_PROXY", "0", "1: take the client's address from the last entry of X-Forwarded-For"),
  setting("TRUSTED_PROXIES", "", "proxies whose forwarding headers count, as addresses or CIDR ranges; empty: all"),
  setting("DATA_DIR", "./data", "directory of the SQLite database"),
  setting("DATABASE_URL", "", "postgres://user:password@host/database, to use PostgreSQL instead of SQLite"),
  setting("LOG_LEVEL", "info", "debug, info, warn, error or silent"),
  setting("REGISTRATION", "open", "closed: no one can register, whatever the switch on the users page says"),
  setting("ADMIN_USERNAME", "", "creates this administrator while there is no account"),
  setting("ADMIN_PASSWORD", "", "password of that administrator, 8 to 256 characters"),
  setting("JWT_SECRET", "", "signs sessions, at least 32 characters; generated at the first start when empty"),
  setting("PRIVATE_TARGETS", "admin", "who may reach private and loopback addresses: all, admin or none"),
  setting("CONNECTIVITY_TARGET", "", "host:port; while it is unreachable, scheduled checks are skipped"),
  setting("API_TIMEOUT", "10000", "milliseconds that the web page waits for an API call, 1000 to 600000"),
  setting("RETENTION_CHECK_DAYS", "30", "days for which each check is kept"),
  setting("RETENTION_HOUR_DAYS", "365", "days for which hourly figures are kept"),
  setting("QUOTA_MONITORS", "200", "monitors of one user; administrators have no quotas"),
  setting("QUOTA_SERVERS", "50", "servers of one user"),
  setting("QUOTA_CHANNELS", "20", "notification channels of one user"),
  setting("QUOTA_KEYS", "20", "API keys of one user"),
  setting("QUOTA_ENROLLMENT_TOKENS", "10", "unused enrollment tokens of one user"),
  setting("QUOTA_CHECKS_IN_FLIGHT", "50", "checks of one user that run at the same time"),
  setting("QUOTA_CHECKS_PER_HOST", "5", "checks of one user to one host, per second"),
  setting("DOWNLOADS_DIR", "", "directory of agent executables to offer under /downloads"),
  setting("RELEASE_URL", "", "redirect target for agent downloads that are not here"),
  setting("TELEGRAM_BOT_TOKEN", "", "bot of a built-in channel for administrators"),
  setting("TELEGRAM_CHAT_ID", "", "chat of that channel"),
  setting("TELEGRAM_API_URL", "https://api.telegram.org", "a Bot API server of your own"),
  setting("RESEND_API_URL", "https://api.resend.com", "another address of Resend's API"),
  setting("METRICS_TOKEN", "", "token with which Prometheus reads all of /metrics, at least 16 characters"),
  setting("LINK_REPOSITORY", "this build's", "link of the home page to the project; empty hides it"),
  setting("LINK_BLOG", "a public site", "blog link in the footer; empty hides it"),
  setting("LINK_VIDEO", "a public site", "video link in the footer; empty hides it"),
  setting("LINK_TEMP_MAIL", "a public site", "temporary-mail link in the footer; empty hides it"),
];

/** The settings as aligned lines of text for a terminal. */
export const settingsText = (): string => {
  const width = Math.max(...SETTINGS.map(({ name }) => name.length));
  return SETTINGS.map(({ name, fallback, meaning }) => {
    const shown = fallback && !fallback.includes(" ") ? ` (default ${fallback})` : "";
    return `  ${name.padEnd(width)}  ${meaning}${shown}\n`;
  }).join("");
};
