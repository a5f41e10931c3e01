import { expect, it } from "bun:test";
import { sql } from "drizzle-orm";
import { users } from "../db/schema";
import { openTestDatabase } from "../testing/db/database";
import { describeError, notFound, refusal, validation } from "./errors";

it("tells the root cause of an error, in one line and at a bearable length", () => {
  const root = new RangeError(`first line\nsecond line ${"x".repeat(1000)}`);
  expect(describeError(new Error("outer", { cause: new Error("middle", { cause: root }) }))).toBe(
    "RangeError: first line",
  );
  expect(describeError(new Error("x".repeat(1000))).length).toBeLessThan(320);
  for (const thrown of ["text", undefined, null, 7, { a: 1 }]) expect(describeError(thrown)).toBeString();
});

it("tells no values of a statement that failed", async () => {
  const db = await openTestDatabase();
  const secret = "$argon2id$never-to-be-seen";
  const row = { username: "alice", usernameKey: "alice", passwordHash: secret, role: "admin" as const, createdAt: 1 };
  await db.insert(users).values(row);
  const failures: unknown[] = [
    await db
      .insert(users)
      .values(row)
      .then(null, (error) => error),
    await db
      .insert(users)
      .values({ ...row, usernameKey: "b", createdAt: null as unknown as number })
      .then(null, (error) => error),
    await db.atomically((tx) => [tx.insert(users).values(row)]).then(null, (error) => error),
    await db.rows(sql`select ${secret} from nowhere`).then(null, (error) => error),
  ];
  for (const failure of failures) {
    expect(failure).toBeInstanceOf(Error);
    expect(describeError(failure)).not.toMatch(/argon2|never-to-be-seen|alice/);
  }
  await db.close();
});

it("passes over the statement itself when nothing says why it failed", () => {
  expect(describeError(new Error('Failed query: insert into "users"\nparams: alice,secret'))).toBe("Error");
});

it("is put on the wire without anything of its own making", () => {
  expect(refusal(notFound("Monitor"))).toEqual({
    success: false,
    code: "not_found",
    message: "Monitor does not exist.",
  });
  const errors = [{ path: "name", message: "name: expected a text" }];
  expect(refusal(validation(errors))).toEqual({
    success: false,
    code: "validation",
    message: "Some fields are not acceptable: name: expected a text.",
    errors,
  });
});
