import { expect, test } from "bun:test";
import { toAccountBody, toNewUserBody } from "./user-body";

const form = (fields: Record<string, string>) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
};

test("usernames and emails are trimmed, passwords are not", () => {
  const typed = form({ username: " bob ", email: " bob@example.com ", role: "admin", password: " a b " });
  expect(toNewUserBody(typed)).toEqual({ username: "bob", email: "bob@example.com", role: "admin", password: " a b " });
});

test("a form without a role field keeps the current role", () => {
  const typed = form({ username: "alice", email: "" });
  expect(toAccountBody(typed, "admin").role).toBe("admin");
  expect(toAccountBody(typed, "user").role).toBe("user");
  expect(toAccountBody(form({ role: "user" }), "admin").role).toBe("user");
});
