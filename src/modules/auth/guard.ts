import { jwt } from "@elysiajs/jwt";
import { Elysia, status } from "elysia";
import type { Deps } from "../../deps";
import { AppError, forbidden, refusal, unauthorized } from "../../errors";
import { findByKey, isApiKey } from "./keys/service";
import { findUser, type User } from "./service";

/** Signs and reads session tokens: HS256, seven days. */
export const sessions = ({ jwtSecret }: Deps) => jwt({ name: "session", secret: jwtSecret, alg: "HS256", exp: "7d" });

/** What a session token says: whose it is, and the version that the user had then. */
export const claimsOf = ({ id, tokenVersion }: User) => ({ sub: String(id), version: tokenVersion });

/** The secret that an Authorization header carries, or nothing. */
export const bearerOf = (header: string | undefined) => /^Bearer (.+)$/i.exec(header ?? "")?.[1] ?? "";

const readOnly = () => new AppError(403, "read_only_key", "This API key only reads.");
export const sessionRequired = () =>
  new AppError(403, "session_required", "An API key can't do this: sign in to do it.");

const isReading = ({ method }: Request) => method === "GET" || method === "HEAD";

/** Nothing but what is signed here, and never for good. */
const RULES = { algorithms: ["HS256"], requiredClaims: ["sub", "exp"] };
type Verify = (token: string, rules: typeof RULES) => Promise<false | { sub?: string }>;

/** Whose session or API key a request carries, and whether it is a key and one that only reads; or why it is refused. */
export const recognise = async (deps: Deps, verify: Verify, request: Request) => {
  const secret = bearerOf(request.headers.get("authorization") ?? undefined);
  if (isApiKey(secret)) {
    const key = await findByKey(deps, secret);
    if (!key) return unauthorized();
    if (key.scope === "read" && !isReading(request)) return readOnly();
    return { user: key.user, byKey: true, reads: key.scope === "read" };
  }
  const claims = await verify(secret, RULES);
  const user = claims && (await findUser(deps, Number(claims.sub)));
  if (!user || (claims as { version?: unknown }).version !== user.tokenVersion) return unauthorized();
  return { user, byKey: false, reads: false };
};

/** Routes after it have a `user`, and know whether an API key stands for them; others are answered 401. */
export const signedIn = (deps: Deps) =>
  new Elysia({ name: "signed-in" })
    .use(sessions(deps))
    // Derived, not resolved: who asks is settled before what was sent is looked at.
    .derive({ as: "scoped" }, async ({ request, session, status }) => {
      const known = await recognise(deps, session.verify, request);
      return known instanceof AppError ? status(known.status as 401 | 403, refusal(known)) : known;
    });

/** To be derived after `signedIn`: the routes that follow give more than a key may read that only reads. */
export const refuseReaders = ({ reads }: { reads: boolean }) => (reads ? status(403, refusal(readOnly())) : undefined);

/** To be derived after `signedIn`: the routes that follow want a person who signed in. */
export const refuseKeys = ({ byKey }: { byKey: boolean }) =>
  byKey ? status(403, refusal(sessionRequired())) : undefined;

/** To be derived after `signedIn`: the routes that follow are an administrator's. */
export const refuseOthers = ({ user }: { user: User }) =>
  user.role === "admin" ? undefined : status(403, refusal(forbidden()));
