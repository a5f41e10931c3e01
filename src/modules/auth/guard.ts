import { jwt } from "@elysiajs/jwt";
import { Elysia } from "elysia";
import type { Deps } from "../../deps";
import { refusal, unauthorized } from "../../errors";
import { findUser, type User } from "./service";

/** Signs and reads session tokens: HS256, seven days. */
export const sessions = ({ jwtSecret }: Deps) => jwt({ name: "session", secret: jwtSecret, alg: "HS256", exp: "7d" });

/** What a session token says: whose it is, and the version that the user had then. */
export const claimsOf = ({ id, tokenVersion }: User) => ({ sub: String(id), version: tokenVersion });

/** The secret that an Authorization header carries, or nothing. */
export const bearerOf = (header: string | undefined) => /^Bearer (.+)$/i.exec(header ?? "")?.[1] ?? "";

/** Routes after it have a `user`; without a valid session they answer 401. */
export const signedIn = (deps: Deps) =>
  new Elysia({ name: "signed-in" })
    .use(sessions(deps))
    // Derived, not resolved: who asks is settled before what was sent is looked at.
    .derive({ as: "scoped" }, async ({ headers, session, status }) => {
      const claims = await session.verify(bearerOf(headers.authorization));
      const user = claims && (await findUser(deps, Number(claims.sub)));
      if (!user || (claims as { version?: unknown }).version !== user.tokenVersion)
        return status(401, refusal(unauthorized()));
      return { user };
    });
