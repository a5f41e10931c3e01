import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { isLastAdmin, selectUsers, toAccountBody, toNewUserBody } from "./api";

const alice = { id: 1, username: "Alice", email: null, role: "admin" as const };
const bob = { id: 2, username: "bob", email: "bob@shop.example", role: "user" as const };
const charlie = { id: 3, username: "charlie", email: "c@example.com", role: "user" as const };

test.each([
  ["", [1, 2, 3]],
  [" ALI ", [1]],
  ["shop", [2]],
  ["example", [2, 3]],
  ["null", []],
])("searching users for %p finds the ids %p", (search, ids) => {
  expect(selectUsers([charlie, alice, bob], search).map(({ id }) => id)).toEqual(ids);
});

test("isLastAdmin holds for the only administrator", () => {
  expect(isLastAdmin([alice, bob], 1)).toBe(true);
  expect(isLastAdmin([alice, bob], 2)).toBe(false);
  expect(isLastAdmin([alice, { ...bob, role: "admin" }], 1)).toBe(false);
});

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
