import { eq } from "drizzle-orm";
import { SignJWT, UnsecuredJWT } from "jose";
import { users } from "../db/schema";
import { startSession } from "../modules/auth/sessions/service";
import type { TestApp } from "./app";
import type { TestUser } from "./people";

const sign = (claims: object, secret: string, alg = "HS256") =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg, typ: "JWT" }).sign(new TextEncoder().encode(secret));

/** The token of a new session of a user as they are now. */
export const sessionOf = async ({ db, deps }: TestApp, { id }: Pick<TestUser, "id">): Promise<string> => {
  const [user] = await db.select().from(users).where(eq(users.id, id));
  if (!user) throw new Error(`there is no user ${id}`);
  return sign(await startSession(deps, user, { userAgent: "", address: "" }), deps.jwtSecret);
};

/** What open no door although they look like an administrator's session, by what is wrong with them. */
export const falseSessions = async ({ deps, clock }: TestApp, admin: TestUser, deleted: TestUser) => {
  const seconds = Math.floor(clock.now() / 1000);
  const [header, payload, signature] = admin.token.split(".");
  const claims = JSON.parse(Buffer.from(payload ?? "", "base64url").toString());
  const { sid: _sid, ...withoutSession } = claims;
  const { exp: _exp, ...withoutEnd } = claims;
  const none = Buffer.from(JSON.stringify({ alg: "none", typ: "JWT" })).toString("base64url");
  const other = Buffer.from(JSON.stringify({ ...claims, sub: "2" })).toString("base64url");
  return {
    "no token": "",
    "no secret": "Bearer",
    "another scheme": `Basic ${admin.token}`,
    expired: `Bearer ${await sign({ ...claims, exp: seconds - 1 }, deps.jwtSecret)}`,
    "a deleted user's": `Bearer ${deleted.token}`,
    "an older version": `Bearer ${await sign({ ...claims, version: -1 }, deps.jwtSecret)}`,
    "signed with another key": `Bearer ${await sign(claims, `${deps.jwtSecret} of another console`)}`,
    "signed with another algorithm": `Bearer ${await sign(claims, deps.jwtSecret, "HS512")}`,
    "without an end": `Bearer ${await sign(withoutEnd, deps.jwtSecret)}`,
    "without a session": `Bearer ${await sign(withoutSession, deps.jwtSecret)}`,
    "of a session that is over": `Bearer ${await sign({ ...claims, sid: "A".repeat(22) }, deps.jwtSecret)}`,
    "of another user's session": `Bearer ${await sign({ ...claims, sub: "2" }, deps.jwtSecret)}`,
    "of another installation": `Bearer ${await sign({ ...claims, iss: "another" }, deps.jwtSecret)}`,
    "not signed": `Bearer ${new UnsecuredJWT(claims).encode()}`,
    "signed by none, with a signature": `Bearer ${none}.${payload}.${signature}`,
    "tampered with": `Bearer ${header}.${other}.${signature}`,
    "a key of nobody's": `Bearer wk_${"A".repeat(43)}`,
  };
};
