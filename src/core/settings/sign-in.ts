import type { TeamRole } from "../../shared/accounts/teams";
import { ConfigError, type Environment, fail, flag, oneOf, secretOf, trustedProxies } from "./environment";

/** The role that the members of a group have in a team. */
export type TeamGroup = { group: string; teamId: number; role: TeamRole };

/** Sign-in by OpenID Connect. `issuer` is empty where it is not set up. */
type OidcSettings = {
  issuer: string;
  clientId: string;
  /** Empty for a public client. */
  clientSecret: string;
  scopes: string;
  /** How the sign-in page calls the issuer. */
  name: string;
  autoCreate: boolean;
  /** Whether a verified e-mail address leads to the account that has verified it. */
  linkEmail: boolean;
  groupsClaim: string;
  /** Empty: groups do not change roles. */
  adminGroup: string;
  /** Groups change roles in these teams only. */
  teams: readonly TeamGroup[];
};

/** Sign-in by headers of a trusted proxy. `name` is the header with the username, and empty where it is not set up. */
type HeaderSettings = {
  name: string;
  email: string;
  groups: string;
  adminGroup: string;
  teams: TeamGroup[];
  /** Where the page goes after signing out; empty: to the sign-in page. */
  signOutUrl: string;
};

/** Who may sign in with a password. */
export type PasswordLogin = "on" | "admins" | "off";

export type SignInSettings = {
  registration: "open" | "closed";
  passwordLogin: PasswordLogin;
  oidc: OidcSettings;
  /** Headers of a trusted proxy that sign users in. */
  authHeader: HeaderSettings;
};

const text = (env: Environment, name: string, fallback = ""): string => env[name]?.trim() || fallback;

/** An http or https address as it is written: the slash at the end of an issuer is part of its name. */
const webUrl = (env: Environment, name: string): string => {
  const value = text(env, name);
  const url = URL.parse(value);
  const isUsable = value === "" || (url && /^https?:$/.test(url.protocol) && !url.username && !url.password);
  return isUsable ? value : fail(name, "…", "an http:// or https:// address without a user name");
};

/** Roles of groups in teams. Names of groups may contain the characters that separate the parts of an entry. @throws {ConfigError} */
const teamGroups = (env: Environment, name: string): TeamGroup[] => {
  const value = text(env, name);
  const entries = [...value.matchAll(/\s*(\S.*?)=([1-9]\d{0,14}):(viewer|editor|owner)\s*(?:,|$)/gy)];
  if (entries.map(([entry]) => entry).join("") !== value)
    fail(name, value, "group=team:role with the number of a team, such as ops=12:editor, separated by commas");
  return entries.map(([, group = "", teamId, role]) => ({ group, teamId: Number(teamId), role: role as TeamRole }));
};

/** The settings of sign-in by OpenID Connect. @throws {ConfigError} */
const oidcSettings = (env: Environment, publicUrl: string): OidcSettings => {
  const [issuer, clientId] = [webUrl(env, "OIDC_ISSUER"), text(env, "OIDC_CLIENT_ID")];
  if ((issuer === "") !== (clientId === ""))
    throw new ConfigError("OIDC_ISSUER and OIDC_CLIENT_ID belong together: set both or neither.");
  if (issuer && !publicUrl)
    throw new ConfigError("OIDC_ISSUER needs PUBLIC_URL: the issuer leads back to an address that it knows.");
  const scopes = text(env, "OIDC_SCOPES", "openid profile email");
  if (!scopes.split(/\s+/).includes("openid")) fail("OIDC_SCOPES", scopes, "scopes with openid among them");
  return {
    ...{ issuer, clientId, scopes },
    clientSecret: secretOf(env, "OIDC_CLIENT_SECRET"),
    name: text(env, "OIDC_NAME", "single sign-on"),
    autoCreate: flag(env, "OIDC_AUTO_CREATE"),
    linkEmail: flag(env, "OIDC_LINK_EMAIL"),
    groupsClaim: text(env, "OIDC_GROUPS_CLAIM", "groups"),
    adminGroup: text(env, "OIDC_ADMIN_GROUP"),
    teams: teamGroups(env, "OIDC_TEAMS"),
  };
};

/** The name of a header; empty when it is not set. */
const headerName = (env: Environment, name: string): string => {
  const value = text(env, name);
  return /^[\w-]*$/.test(value) ? value : fail(name, value, "the name of a header, such as Remote-User");
};

/** The settings of sign-in by headers of a proxy. @throws {ConfigError} */
const headerSettings = (env: Environment): HeaderSettings => {
  const name = headerName(env, "AUTH_HEADER");
  const proxies = trustedProxies(env);
  if (name && (proxies.length === 0 || proxies.some((range) => range.endsWith("/0"))))
    throw new ConfigError(
      "AUTH_HEADER needs TRUSTED_PROXIES with the addresses of your proxies: every other client could name any user.",
    );
  const [groups, teams] = [headerName(env, "AUTH_HEADER_GROUPS"), teamGroups(env, "AUTH_HEADER_TEAMS")];
  if (teams.length > 0 && groups === "")
    throw new ConfigError("AUTH_HEADER_TEAMS needs AUTH_HEADER_GROUPS, the header with the groups of a user.");
  return {
    ...{ name, groups, teams },
    email: headerName(env, "AUTH_HEADER_EMAIL"),
    adminGroup: text(env, "AUTH_HEADER_ADMIN_GROUP"),
    signOutUrl: webUrl(env, "AUTH_HEADER_SIGN_OUT_URL"),
  };
};

/** PASSWORD_LOGIN; off where a proxy signs users in. @throws {ConfigError} when no one could sign in */
const readPasswordLogin = (env: Environment, hasOidc: boolean, hasHeader: boolean): PasswordLogin => {
  if (hasOidc && hasHeader) throw new ConfigError("OIDC_ISSUER and AUTH_HEADER are both set: set one of them.");
  const value = oneOf(env, "PASSWORD_LOGIN", ["on", "admins", "off"], hasHeader ? "off" : "on");
  if (hasHeader && value !== "off") fail("PASSWORD_LOGIN", value, "off, because AUTH_HEADER signs users in");
  if (!hasOidc && !hasHeader && value !== "on")
    fail("PASSWORD_LOGIN", value, "on, because neither OIDC_ISSUER nor AUTH_HEADER is set");
  return value;
};

/** How users sign in. An account that is registered could not be used without a password. @throws {ConfigError} */
export const signInSettings = (env: Environment, publicUrl: string): SignInSettings => {
  const [oidc, authHeader] = [oidcSettings(env, publicUrl), headerSettings(env)];
  const passwordLogin = readPasswordLogin(env, oidc.issuer !== "", authHeader.name !== "");
  const registration = oneOf(env, "REGISTRATION", ["open", "closed"], "open");
  return { oidc, authHeader, passwordLogin, registration: passwordLogin === "on" ? registration : "closed" };
};
