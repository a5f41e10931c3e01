import { MAIL } from "../../shared/limits";
import { ConfigError, type Environment, fail, secretOf } from "./environment";

/** `user` and `password` are left out for a server without a login. */
export type MailServer = {
  host: string;
  port: string;
  security: "starttls" | "tls" | "none";
  user?: string;
  password?: string;
  from: string;
};

const SMTP_PORTS = { starttls: "587", tls: "465", none: "25" };
const isSecurity = (text: string): text is keyof typeof SMTP_PORTS => Object.hasOwn(SMTP_PORTS, text);
const SMTP_EXPECTED =
  "smtp://user:password@host:587, smtps:// for TLS from the start, or smtp://host:25?security=none without encryption";

/** The login in an address, decoded; undefined when it is not encoded correctly. */
const loginOf = ({ username, password }: URL): { user: string; password: string } | undefined => {
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
};

/** The mail server of SMTP_URL and MAIL_FROM, or null. @throws {ConfigError} */
export const mailServer = (env: Environment): MailServer | null => {
  const [address, from] = [secretOf(env, "SMTP_URL"), env.MAIL_FROM?.trim() ?? ""];
  if (!address && !from) return null;
  if (!address || !from) throw new ConfigError("SMTP_URL and MAIL_FROM belong together: set both or neither.");
  const url = URL.parse(address);
  const login = url && loginOf(url);
  const security = url?.searchParams.get("security") ?? (url?.protocol === "smtps:" ? "tls" : "starttls");
  const isServer = url?.hostname && /^\/?$/.test(url.pathname) && /^smtps?:$/.test(url.protocol);
  // The value may hold a password.
  if (!login || !isServer || !isSecurity(security))
    throw new ConfigError(`SMTP_URL is not usable: expected ${SMTP_EXPECTED}.`);
  if (!new RegExp(`^${MAIL.sender}$`).test(from)) fail("MAIL_FROM", from, "an address, or Name <address>");
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port || SMTP_PORTS[security],
    ...{ security, from },
    ...(login.user && login),
  };
};
