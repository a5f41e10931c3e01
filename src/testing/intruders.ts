import { eq } from "drizzle-orm";
import { SignJWT, UnsecuredJWT } from "jose";
import { users } from "../db/schema";
import type { TestApp } from "./app";
import type { TestUser } from "./people";

const seconds = () => Math.floor(Date.now() / 1000);

const sign = (claims: object, secret: string, alg = "HS256") =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg, typ: "JWT" }).sign(new TextEncoder().encode(secret));

/** A session of a user's as they are now. */
export const sessionOf = async ({ db, deps }: TestApp, { id }: Pick<TestUser, "id">): Promise<string> => {
  const [user] = await db.select({ version: users.tokenVersion }).from(users).where(eq(users.id, id));
  return sign({ sub: String(id), version: user?.version, exp: seconds() + 3600 }, deps.jwtSecret);
};

/** What open no door although they look like an administrator's session, by what is wrong with them. */
export const falseSessions = async ({ deps }: TestApp, admin: TestUser, deleted: TestUser) => {
  const claims = { sub: String(admin.id), version: 0, exp: seconds() + 3600 };
  const [header, payload, signature] = admin.token.split(".");
  const none = Buffer.from(JSON.stringify({ alg: "none", typ: "JWT" })).toString("base64url");
  const other = Buffer.from(JSON.stringify({ ...claims, sub: "1", version: 0 })).toString("base64url");
  return {
    "no token": "",
    "no secret": "Bearer",
    "another scheme": `Basic ${admin.token}`,
    expired: `Bearer ${await sign({ ...claims, exp: seconds() - 1 }, deps.jwtSecret)}`,
    "a deleted user's": `Bearer ${deleted.token}`,
    "an older version": `Bearer ${await sign({ ...claims, version: -1 }, deps.jwtSecret)}`,
    "signed with another key": `Bearer ${await sign(claims, `${deps.jwtSecret} of another console`)}`,
    "signed with another algorithm": `Bearer ${await sign(claims, deps.jwtSecret, "HS512")}`,
    "without an end": `Bearer ${await sign({ sub: claims.sub, version: claims.version }, deps.jwtSecret)}`,
    "not signed": `Bearer ${new UnsecuredJWT(claims).encode()}`,
    "signed by none, with a signature": `Bearer ${none}.${payload}.${signature}`,
    "tampered with": `Bearer ${header}.${other}.${signature}`,
    "a key of nobody's": `Bearer wk_${"A".repeat(43)}`,
  };
};
