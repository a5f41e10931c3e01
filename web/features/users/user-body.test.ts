import { expect, test } from "bun:test";
import { toAccountBody, toNewUserBody } from "./user-body";

const form = (fields: Record<string, string>) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
};

test("names and addresses lose the spaces around them, passwords keep theirs", () => {
  const typed = form({ username: " bob ", email: " bob@example.com ", role: "admin", password: " a b " });
  expect(toNewUserBody(typed)).toEqual({ username: "bob", email: "bob@example.com", role: "admin", password: " a b " });
});

test("a role that could not be chosen stays as it is", () => {
  const typed = form({ username: "alice", email: "" });
  expect(toAccountBody(typed, "admin").role).toBe("admin");
  expect(toAccountBody(typed, "user").role).toBe("user");
  expect(toAccountBody(form({ role: "user" }), "admin").role).toBe("user");
});
