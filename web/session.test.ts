import "./testing/test-dom";

import { beforeEach, expect, spyOn, test } from "bun:test";
import { sendInBackground, session, signIn, signOut, startSession, type User } from "./session";

const alice: User = { id: 1, username: "alice", role: "admin" };
const never = () => Promise.reject(new Error("must not be called"));
const storedSession = () => [localStorage.getItem("token"), localStorage.getItem("user")];

beforeEach(() => {
  localStorage.clear();
  signOut();
});

test("a session is stored on sign-in, restored on start and removed on sign-out", async () => {
  await startSession(never);
  expect(session().status).toBe("unauthenticated");
  signIn("token", alice);
  expect(session()).toEqual({ status: "authenticated", token: "token", user: alice });
  expect(storedSession()).toEqual(["token", JSON.stringify(alice)]);
  await startSession(never);
  expect(session()).toEqual({ status: "authenticated", token: "token", user: alice });
  signOut();
  expect(session().status).toBe("unauthenticated");
  expect(storedSession()).toEqual([null, null]);
});

test("a stored token without a user is looked up, and the session is loading until the answer", async () => {
  localStorage.setItem("token", "token");
  const start = startSession(async () => alice);
  expect(session().status).toBe("loading");
  await start;
  expect(session()).toEqual({ status: "authenticated", token: "token", user: alice });
  expect(storedSession()).toEqual(["token", JSON.stringify(alice)]);
});

test("a stored user that cannot be parsed is looked up again", async () => {
  localStorage.setItem("token", "token");
  localStorage.setItem("user", "{broken");
  await startSession(async () => alice);
  expect(session().user).toEqual(alice);
});

test.each([
  ["fails", never],
  ["returns null", async () => null],
  ["returns undefined", async () => undefined],
])("the session is cleared when the lookup of the user %s", async (_case, loadUser) => {
  const log = spyOn(console, "error").mockImplementation(() => {});
  localStorage.setItem("token", "token");
  await startSession(loadUser);
  expect(session().status).toBe("unauthenticated");
  expect(storedSession()).toEqual([null, null]);
  expect(log.mock.calls.map(([text]) => text)).toEqual(["Failed to fetch user information"]);
  log.mockRestore();
});

test("an answer of the lookup that arrives after signing out is ignored", async () => {
  localStorage.setItem("token", "token");
  const start = startSession(async () => alice);
  signOut();
  await start;
  expect(session().status).toBe("unauthenticated");
});

test("the answer of a call in the background is read, because an unread one keeps its connection", async () => {
  const { promise: read, resolve } = Promise.withResolvers<void>();
  const text = async () => {
    resolve();
    return "";
  };
  const send = spyOn(globalThis, "fetch").mockImplementation((async () => ({ text })) as unknown as typeof fetch);
  sendInBackground("POST", "api/auth/logout", "token");
  send.mockRestore();
  await read;
});
