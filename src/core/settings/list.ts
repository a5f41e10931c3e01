/** One environment variable. `details` is what docs/settings.md says besides, in Markdown. */
type Setting = { name: string; fallback: string; meaning: string; details: string };

const setting = (name: string, fallback: string, meaning: string, details = ""): Setting => ({
  ...{ name, fallback, meaning, details },
});

/** Every environment variable that `readConfig` reads, in the order of `wakeful serve --help`. */
export const SETTINGS: readonly Setting[] = [
  setting("HOST", "0.0.0.0", "address to listen on"),
  setting("PORT", "8080", "port to listen on"),
  setting(
    "WAKEFUL_HOST",
    "",
    "wins over HOST, which some shells export as the name of the machine",
    "One of them is tcsh.",
  ),
  setting("WAKEFUL_PORT", "", "wins over PORT"),
  setting(
    "PUBLIC_URL",
    "",
    "public address of Wakeful, for links in alerts and commands",
    "Requests for other host names are refused then, except IP addresses and `localhost`.",
  ),
  setting("BASE_PATH", "/", "path under which a reverse proxy serves Wakeful"),
  setting("TRUST_PROXY", "0", "1: take the client's address from the last entry of X-Forwarded-For"),
  setting(
    "TRUSTED_PROXIES",
    "",
    "proxies whose forwarding headers count, as addresses or CIDR ranges; empty: all",
    "Separated by commas; used with `TRUST_PROXY=1`.",
  ),
  setting(
    "DEFAULT_LANGUAGE",
    "zh-CN",
    "zh-CN or en-US: the language of pages and alerts while none is chosen",
    "Alerts use it until their owner signs in or sets a language.",
  ),
  setting("DATA_DIR", "./data", "directory of the SQLite database"),
  setting(
    "BACKUP_DIR",
    "",
    "directory of nightly backups of the SQLite database; empty: none are made",
    "It has to exist, best on another disk; one inside of `DATA_DIR` is created. See [backups](operations.md#backups).",
  ),
  setting("BACKUP_KEEP", "7", "nightly backups that are kept, 1 to 1000"),
  setting(
    "DATABASE_URL",
    "",
    "postgres://user:password@host/database, to use PostgreSQL instead of SQLite",
    "Behind a transaction pooler, add `?pool_mode=transaction`.",
  ),
  setting(
    "LISTEN_DATABASE_URL",
    "",
    "the same database without a transaction pooler; empty: DATABASE_URL",
    "Live updates between instances need it.",
  ),
  setting(
    "LOG_LEVEL",
    "info",
    "debug, info, warn, error or silent",
    "`debug` logs each check and each delivery attempt.",
  ),
  setting(
    "REGISTRATION",
    "open",
    "closed: no one can register, whatever the switch on the users page says",
    "The first account then needs the setup code; or set `ADMIN_USERNAME`.",
  ),
  setting("ADMIN_USERNAME", "", "creates this administrator while there is no account", "Needs `ADMIN_PASSWORD`."),
  setting("ADMIN_PASSWORD", "", "password of that administrator, 8 to 256 characters"),
  setting("JWT_SECRET", "", "signs sessions, at least 32 characters; generated at the first start when empty"),
  setting(
    "ADMIN_SEES",
    "all",
    "what administrators see: all monitors and servers, or with `teams` only those of their own teams",
  ),
  setting(
    "REQUIRE_2FA",
    "off",
    "who has to add a second factor after signing in before anything else: admins, all, or with `off` no one",
    "API keys and agents go on. See [operations.md](operations.md#second-factors).",
  ),
  setting(
    "SESSION_IDLE_DAYS",
    "14",
    "days without use after which a session ends, 1 to 365; it ends after 7 in any case",
  ),
  setting(
    "PASSWORD_LOGIN",
    "on",
    "who may sign in with a password or a passkey while users sign in otherwise: on, admins or off",
    "With `off`, administrators may while the issuer cannot be reached. Users register only with `on`.",
  ),
  setting(
    "OIDC_ISSUER",
    "",
    "OpenID Connect: address of the issuer, as it calls itself",
    "Needs `OIDC_CLIENT_ID` and `PUBLIC_URL`. See [sign-in](sign-in.md).",
  ),
  setting("OIDC_CLIENT_ID", "", "id of Wakeful at the issuer"),
  setting("OIDC_CLIENT_SECRET", "", "its secret; empty for a public client"),
  setting("OIDC_SCOPES", "openid profile email", "scopes to ask for"),
  setting("OIDC_NAME", "single sign-on", "name of the issuer on the sign-in page"),
  setting("OIDC_AUTO_CREATE", "0", "1: create an account for each user who signs in at the issuer"),
  setting(
    "OIDC_LINK_EMAIL",
    "0",
    "1: sign in to the account with the same email address, if both sides have verified it",
  ),
  setting("OIDC_GROUPS_CLAIM", "groups", "claim with the groups of a user"),
  setting(
    "OIDC_ADMIN_GROUP",
    "",
    "group whose members are administrators; empty: groups change no roles",
    "Applies at each sign-in. The last administrator remains one.",
  ),
  setting(
    "OIDC_TEAMS",
    "",
    "roles of groups in teams, such as `ops=12:editor,on-call=12:viewer`; empty: groups change no memberships",
    "Applies at each sign-in. The last owner of a team remains one. See [sign-in](sign-in.md#groups).",
  ),
  setting(
    "AUTH_HEADER",
    "",
    "header in which a proxy names the user, such as Remote-User",
    "It counts from `TRUSTED_PROXIES` only, and passwords are off. See [sign-in](sign-in.md#by-a-proxy).",
  ),
  setting("AUTH_HEADER_EMAIL", "", "header with their email address"),
  setting("AUTH_HEADER_GROUPS", "", "header with their groups, separated by commas or vertical bars"),
  setting("AUTH_HEADER_ADMIN_GROUP", "", "group whose members are administrators; empty: groups change no roles"),
  setting(
    "AUTH_HEADER_TEAMS",
    "",
    "roles of groups in teams, in the form of `OIDC_TEAMS`; empty: groups change no memberships",
    "Applies at each sign-in. See [sign-in](sign-in.md#groups).",
  ),
  setting("AUTH_HEADER_SIGN_OUT_URL", "", "address of the proxy that ends its own session, opened after signing out"),
  setting(
    "PRIVATE_TARGETS",
    "admin",
    "who may reach private and loopback addresses: all, admin or none",
    "Applies to checks, webhooks and mail servers, and to this machine's own addresses.",
  ),
  setting(
    "CONNECTIVITY_TARGET",
    "",
    "host:port; while it is unreachable, scheduled checks are skipped",
    "Nothing is reported as down then, because Wakeful's own network is. Without it, Wakeful asks monitors, gateway and name servers.",
  ),
  setting(
    "MIN_INTERVAL",
    "60",
    "the shortest interval of checks that may be set, 10 to 60 seconds",
    "Below 60, forms ask for intervals in seconds. Monitors that have shorter ones keep them.",
  ),
  setting(
    "ALERT_FLAP_CHANGES",
    "4",
    "changes within 30 minutes that make a target unstable, 0 to 100; 0: never",
    "Only lasting outages of an unstable target are sent, until it is stable for 15 minutes.",
  ),
  setting(
    "ALERT_GROUP_SECONDS",
    "10",
    "seconds that an alert waits at most for others, which follow within 2 s, 0 to 300",
    "They are sent as one message. Alert policies override this; 0 sends each alert at once.",
  ),
  setting(
    "HEARTBEAT_URL",
    "",
    "requested each minute while checks run on time, for a monitor elsewhere that watches Wakeful",
    "That monitor tells you when Wakeful itself stops.",
  ),
  setting("API_TIMEOUT", "10000", "milliseconds that the web page waits for an API call, 1000 to 600000"),
  setting("RETENTION_CHECK_DAYS", "365", "days for which each check is kept"),
  setting("RETENTION_SAMPLE_DAYS", "30", "days for which each sample of a server is kept"),
  setting("RETENTION_HOUR_DAYS", "365", "days for which hourly figures are kept", "Daily figures are kept forever."),
  setting("RETENTION_AUDIT_DAYS", "90", "days for which security events and changes are kept"),
  setting("QUOTA_MONITORS", "200", "monitors of one user; administrators have no quotas"),
  setting("QUOTA_SERVERS", "50", "servers of one user"),
  setting("QUOTA_CHANNELS", "20", "notification channels of one user"),
  setting("QUOTA_KEYS", "20", "API keys of one user"),
  setting("QUOTA_ENROLLMENT_TOKENS", "10", "unused enrollment tokens of one user"),
  setting("QUOTA_TEAMS", "5", "teams that one user owns besides the personal one"),
  setting(
    "QUOTA_CHECKS_IN_FLIGHT",
    "50",
    "checks of one user that run at the same time",
    "Counted in each instance; further checks wait.",
  ),
  setting(
    "QUOTA_CHECKS_PER_HOST",
    "5",
    "checks of one user to one host, per second",
    "Counts the starts of scheduled checks; further checks wait.",
  ),
  setting(
    "IMPORT_MAX_BYTES",
    "4294967296",
    "size of the largest file of another product that can be imported, in bytes",
  ),
  setting("DOWNLOADS_DIR", "", "directory of agent executables to offer under /downloads"),
  setting("RELEASE_URL", "", "redirect target for agent downloads that are not here"),
  setting(
    "SMTP_URL",
    "",
    "mail server for mails of Wakeful itself, such as links to reset a password: smtp://user:password@host:587",
    "`smtps://` is TLS from the start, `?security=none` sends without encryption. Characters such as `@` in the user name or password are written as `%40`. Links need `PUBLIC_URL`, too.",
  ),
  setting("MAIL_FROM", "", "sender of these mails: an address, or Name <address>"),
  setting("TELEGRAM_BOT_TOKEN", "", "bot of a built-in channel for administrators"),
  setting("TELEGRAM_CHAT_ID", "", "chat of that channel"),
  setting("TELEGRAM_API_URL", "https://api.telegram.org", "a Bot API server of your own"),
  setting("RESEND_API_URL", "https://api.resend.com", "another address of Resend's API"),
  setting(
    "PROVIDER_ORIGINS",
    "",
    "other origins of providers: https://api.pushover.net=https://proxy.example",
    "One use is a proxy. Separated by commas.",
  ),
  setting("SECURITY_CONTACT", "", "mailto: or https:// address for /.well-known/security.txt; empty: no such file"),
  setting("METRICS_TOKEN", "", "token with which Prometheus reads all of /metrics, at least 16 characters"),
  setting("LINK_REPOSITORY", "repository of the build", "link of the home page to the project; empty hides it"),
  setting("LINK_BLOG", "releases of the build, or https://bun.sh/blog", "blog link in the footer; empty hides it"),
  setting("LINK_VIDEO", "https://www.youtube.com", "video link in the footer; empty hides it"),
  setting("LINK_TEMP_MAIL", "https://temp-mail.org", "temporary-mail link in the footer; empty hides it"),
];

/** The settings as aligned lines of text for a terminal. */
export const settingsText = (): string => {
  const width = Math.max(...SETTINGS.map(({ name }) => name.length));
  return SETTINGS.map(({ name, fallback, meaning }) => {
    const suffix = fallback && !fallback.includes(" ") ? ` (default ${fallback})` : "";
    return `  ${name.padEnd(width)}  ${meaning}${suffix}\n`;
  }).join("");
};

/** The settings as a Markdown table with columns of equal width. */
export const settingsTable = (): string => {
  const rows = SETTINGS.map(({ name, fallback, meaning, details }) => {
    const text = fallback === "" || fallback.includes(" ") ? fallback : `\`${fallback}\``;
    return [`\`${name}\``, text, [meaning, details].filter(Boolean).join(". ")];
  });
  const head = ["variable", "default", "meaning"];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[], filler = " ") =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, filler)).join(" | ")} |`;
  return [line(head), line(["", "", ""], "-"), ...rows.map((row) => line(row))].join("\n");
};
