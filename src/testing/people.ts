import { users } from "../db/schema";
import type { Deps } from "../deps";
import type { User } from "../modules/auth/service";
import { createClient, type Send } from "./client";

export type TestUser = { id: number; username: string; token: string };

export const PASSWORD = "correct horse battery staple";
// A hash that costs next to nothing: what a real one costs is what slows a guesser down, and a suite as well.
const hash = Bun.password.hash(PASSWORD, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });

/** Stores a user and signs them in. */
export const addUser = async (
  { db, clock }: Deps,
  send: Send,
  username: string,
  role: User["role"] = "user",
): Promise<TestUser> => {
  const [row] = await db
    .insert(users)
    .values({ username, usernameKey: username, passwordHash: await hash, role, createdAt: clock.now() })
    .returning({ id: users.id });
  const { body } = await createClient(send).post("/api/auth/login", { username, password: PASSWORD });
  return { id: Number(row?.id), username, token: body.token };
};
