import { expect, it } from "bun:test";
import { sql } from "drizzle-orm";
import { users } from "../db/schema";
import { insertUser } from "../modules/accounts/account/service";
import { openTestDatabase } from "../testing/db/database";
import { AppError, describeError, notFound, rateLimited, refusal, validation } from "./errors";

it("describes the root cause of an error in one line of bounded length", () => {
  const root = new RangeError(`first line\nsecond line ${"x".repeat(1000)}`);
  expect(describeError(new Error("outer", { cause: new Error("middle", { cause: root }) }))).toBe(
    "RangeError: first line",
  );
  expect(describeError(new Error("x".repeat(1000))).length).toBeLessThan(320);
  for (const thrown of ["text", undefined, null, 7, { a: 1 }]) expect(describeError(thrown)).toBeString();
});

it("leaves the values of a failed statement out of its description", async () => {
  const db = await openTestDatabase();
  const secret = "$argon2id$never-to-be-seen";
  const row = { username: "alice", usernameKey: "alice", passwordHash: secret, role: "admin" as const, createdAt: 1 };
  const { teamId = 0 } = (await db.transact((tx) => insertUser(tx, row))) ?? {};
  const failures: unknown[] = [
    await db
      .insert(users)
      .values({ ...row, teamId })
      .then(null, (error) => error),
    await db
      .insert(users)
      .values({ ...row, teamId, usernameKey: "b", createdAt: null as unknown as number })
      .then(null, (error) => error),
    await db.atomically((tx) => [tx.insert(users).values({ ...row, teamId })]).then(null, (error) => error),
    await db.rows(sql`select ${secret} from nowhere`).then(null, (error) => error),
  ];
  for (const failure of failures) {
    expect(failure).toBeInstanceOf(Error);
    expect(describeError(failure)).not.toMatch(/argon2|never-to-be-seen|alice/);
  }
  await db.close();
});

it("leaves out the statement itself when the error has no cause", () => {
  expect(describeError(new Error('Failed query: insert into "users"\nparams: alice,secret'))).toBe("Error");
});

it("answers the code, the message and the fields of an error, and nothing else", () => {
  expect(refusal(notFound("Monitor"))).toEqual({
    success: false,
    code: "not_found",
    message: "Monitor does not exist.",
  });
  const errors = [{ path: "name", message: "name: expected a text" }];
  expect(refusal(validation(errors))).toEqual({
    success: false,
    code: "validation",
    message: "Some fields are not valid: name: expected a text.",
    errors,
  });
});

it("takes the status and the message of an error from the table, with its parameters", () => {
  expect(new AppError("username_taken")).toMatchObject({ status: 409, message: "Username already exists" });
  expect(rateLimited(7)).toMatchObject({
    status: 429,
    message: "Too many attempts. Try again in 7 seconds.",
    details: { retryAfter: 7 },
  });
  expect(rateLimited(1).message).toBe("Too many attempts. Try again in 1 second.");
});

it("does not expand placeholders within a parameter", () => {
  expect(new AppError("conflict", { reason: "{reason} {what}" }).message).toBe("{reason} {what}");
});
