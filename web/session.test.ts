import "./testing/test-dom";

import { beforeEach, expect, spyOn, test } from "bun:test";
import { session, signIn, signOut, startSession, type User } from "./session";

const alice: User = { id: 1, username: "alice", role: "admin" };
const never = () => Promise.reject(new Error("must not be asked"));
const kept = () => [localStorage.getItem("token"), localStorage.getItem("user")];

beforeEach(() => {
  localStorage.clear();
  signOut();
});

test("nobody → signed in → kept → signed out", async () => {
  await startSession(never);
  expect(session().status).toBe("unauthenticated");
  signIn("token", alice);
  expect(session()).toEqual({ status: "authenticated", token: "token", user: alice });
  expect(kept()).toEqual(["token", JSON.stringify(alice)]);
  await startSession(never);
  expect(session()).toEqual({ status: "authenticated", token: "token", user: alice });
  signOut();
  expect(session().status).toBe("unauthenticated");
  expect(kept()).toEqual([null, null]);
});

test("a token without a user asks whose it is, loading meanwhile", async () => {
  localStorage.setItem("token", "token");
  const start = startSession(async () => alice);
  expect(session().status).toBe("loading");
  await start;
  expect(session()).toEqual({ status: "authenticated", token: "token", user: alice });
  expect(kept()).toEqual(["token", JSON.stringify(alice)]);
});

test("a user that cannot be read counts as no user", async () => {
  localStorage.setItem("token", "token");
  localStorage.setItem("user", "{broken");
  await startSession(async () => alice);
  expect(session().user).toEqual(alice);
});

test.each([
  ["fails", never],
  ["knows nobody", async () => null],
  ["has no user", async () => undefined],
])("when that call %s, token and user are cleared", async (_case, whoIsThis) => {
  const log = spyOn(console, "error").mockImplementation(() => {});
  localStorage.setItem("token", "token");
  await startSession(whoIsThis);
  expect(session().status).toBe("unauthenticated");
  expect(kept()).toEqual([null, null]);
  expect(log.mock.calls.map(([text]) => text)).toEqual(["Failed to fetch user information"]);
  log.mockRestore();
});

test("an answer that comes after signing out changes nothing", async () => {
  localStorage.setItem("token", "token");
  const start = startSession(async () => alice);
  signOut();
  await start;
  expect(session().status).toBe("unauthenticated");
});
