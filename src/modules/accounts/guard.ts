import { jwt } from "@elysiajs/jwt";
import { Elysia, status } from "elysia";
import type { Deps } from "../../core/deps";
import { AppError, type ErrorCode, insufficientScope, refusal } from "../../core/errors";
import { type Action, can, type Origin } from "../../db/owner";
import { acceptedLanguage } from "../../lib/headers/accepted-language";
import { scopesOf } from "../../server/route-scopes";
import { hasScope, type KeyScope, type StoredScope } from "../../shared/accounts/key-scopes";
import { adoptLanguage, type User } from "./account/service";
import { clientAddress } from "./client-address";
import { lacksFactor } from "./factors/service";
import { findByKey, isApiKey } from "./keys/service";
import { isProved } from "./proof/service";
import { namesOther } from "./proxy/header";
import { findByToken } from "./sessions/service";
import { teamOfRow } from "./teams/rows";
import { inTeam, type Member, rightsOf } from "./teams/service";

/**
 * Signs session tokens with HS256. Signing happens after a password was hashed, which needs the thread pool anyway;
 * tokens are verified without it, by `verifyToken`.
 */
export const tokenSigner = ({ jwtSecret }: Deps) =>
  jwt({ name: "session", secret: jwtSecret, alg: "HS256", iat: false });

/** The secret in an Authorization header, or an empty text. */
export const bearerOf = (header: string | undefined) => /^Bearer (.+)$/i.exec(header ?? "")?.[1] ?? "";

const isReading = ({ method }: Request) => method === "GET" || method === "HEAD";

/**
 * The caller with the language of this request, if none is stored yet. If it cannot be stored, the request continues: reads
 * work while the database is read-only.
 */
const withLanguage = async <Caller extends { user: Member }>(
  deps: Deps,
  request: Request,
  caller: Caller,
): Promise<Caller> => {
  const { user } = caller;
  if (user.language !== null) return caller;
  const stated = acceptedLanguage(request.headers.get("accept-language"));
  const language = await adoptLanguage(deps, user, stated).catch(() => null);
  return { ...caller, user: { ...user, language } };
};

/** The user of a request in the team that it chooses by `?team=`, if it does. @throws {AppError} not_found */
const inChosenTeam = (user: Member, { url }: Request): Member => {
  const chosen = url.includes("team=") ? new URL(url).searchParams.get("team") : null;
  return chosen === null ? user : inTeam(user, Number(chosen));
};

type Scopes = readonly StoredScope[];

/** A session has every scope. */
const ALL_SCOPES: Scopes = ["write"];

const isReadOnly = (scopes: Scopes): boolean => scopes.join() === "read";

/** The error for a key without a scope. Keys that were made with `scope` get the codes that were there before other scopes. */
const lacking = (scopes: Scopes, scope: KeyScope): AppError => {
  if (isReadOnly(scopes)) return new AppError("read_only_key");
  return scopes.includes("full") ? new AppError("session_required") : insufficientScope(scope);
};

/** The refusal of an API key that has none of the scopes of a route; undefined for a key that has one. */
const refuseKey = (scopes: Scopes, request: Request, route: string): AppError | undefined => {
  const wanted = scopesOf(request.method, route);
  const [first] = wanted;
  if (first) return hasScope(scopes, wanted) ? undefined : lacking(scopes, first);
  return new AppError(isReadOnly(scopes) && !isReading(request) ? "read_only_key" : "session_required");
};

/**
 * Asserts that a credential has a scope which only some uses of a route need.
 * @throws {AppError} insufficient_scope, session_required, read_only_key
 */
export const requireScope = (scopes: Scopes, scope: KeyScope): void => {
  if (!hasScope(scopes, [scope])) throw lacking(scopes, scope);
};

/** A user with how they make a call, for the log of changes. */
const withOrigin = (user: Member, origin: Omit<Origin, "username">): Member => ({
  ...user,
  origin: { username: user.username, ...origin },
});

/** Calls of a session whose user has to add a second factor before anything else. */
const BEFORE_FACTOR = /^\/api\/auth\/(me|logout|language|time-zone|proof|factors|totp|passkeys|recovery-codes)(\/|$)/;

/**
 * Authenticates a request by its session or API key. Returns the user, the id of the session and its last proof, whether it is a
 * key, and the scopes and an id of the session or key; or the error for a refusal.
 */
export const authenticate = async (
  deps: Deps,
  request: Request,
  { server, route }: { server: Parameters<typeof clientAddress>[2]; route: string },
) => {
  const secret = bearerOf(request.headers.get("authorization") ?? undefined);
  const address = clientAddress(deps, request, server);
  if (isApiKey(secret)) {
    const key = await findByKey(deps, secret);
    if (!key) return new AppError("unauthorized");
    const { scopes } = key;
    const refused = refuseKey(scopes, request, route);
    if (refused) return refused;
    const credential = { id: `key ${key.id}`, byKey: true };
    const caller = withOrigin({ ...key.user, reads: !hasScope(scopes, ["write"]) }, { key: key.name, address });
    const user = inChosenTeam(caller, request);
    return withLanguage(deps, request, {
      user,
      sessionId: "",
      provedAt: null,
      byKey: true,
      scopes,
      credential,
    });
  }
  const session = await findByToken(deps, secret, address);
  if (!session || namesOther(deps, request, server, session.user)) return new AppError("unauthorized");
  if (!BEFORE_FACTOR.test(route) && (await lacksFactor(deps, session.user)))
    return new AppError("second_factor_required");
  const credential = { id: `session ${session.sessionId}`, byKey: false };
  const user = inChosenTeam(withOrigin(session.user, { key: null, address }), request);
  return withLanguage(deps, request, { ...session, user, byKey: false, scopes: ALL_SCOPES, credential });
};

/**
 * The WWW-Authenticate header of a 401. Its `error` is one of RFC 6750, section 3.1, and is left out where no
 * credentials were sent. The light agent reads the code from it, because wget prints no body of a 401.
 */
export const challengeOf = ({ headers }: Request, code: ErrorCode): string =>
  headers.has("authorization") ? `Bearer error="invalid_token", error_description="${code}"` : "Bearer";

/**
 * A function for requests that take long: whether its session or API key is still valid, and its user still has the role and is in the same teams.
 * @throws when the database is unavailable
 */
export const createValidity = (
  deps: Deps,
  request: Request,
  server: Parameters<typeof clientAddress>[2],
  user: Member,
) => {
  const secret = bearerOf(request.headers.get("authorization") ?? undefined);
  const address = clientAddress(deps, request, server);
  const { id, role } = user;
  const scope = rightsOf(user);
  return async (): Promise<boolean> => {
    const caller = isApiKey(secret) ? await findByKey(deps, secret) : await findByToken(deps, secret, address);
    if (caller?.user.id !== id || caller.user.role !== role) return false;
    try {
      return rightsOf(inChosenTeam(caller.user, request)) === scope;
    } catch {
      return false;
    }
  };
};

/** Calls about accounts, which ignore the chosen team. */
const ACCOUNTS =
  /^\/api\/(auth|users|keys|security-log|system|teams|invitations|dashboard\/checklist|notifications\/follows|status\/session)\b/;
/** Calls that everyone who sees a row may make. */
const RESPONSES = /\/(acknowledge|mute)$/;

const actionOf = (request: Request, route: string): Action =>
  isReading(request) ? "read" : RESPONSES.test(route) ? "respond" : "edit";

type Call = { request: Request; route: string; params: Record<string, string | undefined> | undefined };

/**
 * The caller in the team of a call: the row with the id in the path decides it where they are members of its team, and `?team=`
 * otherwise. Returns the error for a role that does not allow the call.
 */
const inTeamOfCall = async <Caller extends { user: Member }>(
  deps: Deps,
  caller: Caller,
  { request, route, params }: Call,
): Promise<Caller | AppError> => {
  if (ACCOUNTS.test(route)) return caller;
  const { teams } = caller.user;
  // The rows of a user with one team belong to it.
  const teamId = teams.size > 1 ? await teamOfRow(deps, route, params?.id) : undefined;
  const user = teamId !== undefined && teams.has(teamId) ? { ...caller.user, teamId } : caller.user;
  return can(user, actionOf(request, route), user) ? { ...caller, user } : new AppError("role_insufficient");
};

/**
 * Routes after it have a `user`, and know whether an API key was used; others are answered 401 before their body
 * is parsed: only a user or a key can make the hub parse a large one.
 */
export const signedIn = (deps: Deps) => {
  /** Callers that were authenticated before their body was parsed. */
  const parsing = new WeakMap<Request, Awaited<ReturnType<typeof authenticate>>>();
  return (
    new Elysia({ name: "signed-in" })
      .onParse({ as: "scoped" }, async ({ request, server, route }) => {
        const caller = await authenticate(deps, request, { server, route });
        if (caller instanceof AppError) throw caller;
        parsing.set(request, caller);
      })
      // Derived, not resolved: requests without a body are authenticated before their query is validated.
      .derive({ as: "scoped" }, async ({ request, route, params, server, status, set }) => {
        const caller = parsing.get(request) ?? (await authenticate(deps, request, { server, route }));
        const call = { request, route, params };
        const member = caller instanceof AppError ? caller : await inTeamOfCall(deps, caller, call);
        if (!(member instanceof AppError)) return member;
        if (member.status === 401) set.headers["www-authenticate"] = challengeOf(request, member.code);
        return status(member.status as 401 | 403, refusal(member));
      })
  );
};

/** Derive it after `signedIn`: refuses members who may only read on the routes that follow. */
export const requireEditor = ({ user }: { user: Member }) =>
  can(user, "edit", user) ? undefined : status(403, refusal(new AppError("role_insufficient")));

/** Derive it after `signedIn`: refuses API keys on the routes that follow. */
export const requireSession = ({ byKey }: { byKey: boolean }) =>
  byKey ? status(403, refusal(new AppError("session_required"))) : undefined;

/** Derive it after `signedIn`: refuses sessions without a fresh proof that it is their user on the routes that follow. */
export const requireProof =
  (deps: Deps) =>
  ({ provedAt }: { provedAt: number | null }) =>
    isProved(deps, provedAt) ? undefined : status(403, refusal(new AppError("proof_required")));

/** Derive it after `signedIn`: refuses callers who are no administrators on the routes that follow. */
export const requireAdmin = ({ user }: { user: User }) =>
  user.role === "admin" ? undefined : status(403, refusal(new AppError("forbidden")));
