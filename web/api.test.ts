import "./testing/test-dom";

import { beforeEach, expect, onTestFinished, test } from "bun:test";
import { api, type CallError, payload } from "./api";
import { bootstrap } from "./bootstrap";
import { session, signIn, signOut } from "./session";
import { fakeServer } from "./testing/test-page";

const failure = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable(),
    (error: CallError) => error,
  );
const unauthorized = () =>
  Response.json({ success: false, code: "unauthorized", message: "Sign in to do this." }, { status: 401 });

beforeEach(() => {
  fakeServer.reset();
  signIn("secret", { id: 1, username: "alice", role: "user" });
  history.replaceState(null, "", "/monitors");
});

test("a call sends the stored token and returns the payload", async () => {
  fakeServer.answer(() => Response.json({ success: true, user: { id: 1, username: "alice", role: "user" } }));
  expect((await payload(api.auth.me.get())).user.username).toBe("alice");
  expect(fakeServer.calls[0]).toMatchObject({ path: "/api/auth/me", authorization: "Bearer secret" });
});

test("a 401 answer clears the session and opens the login page", async () => {
  fakeServer.answer(unauthorized);
  expect((await failure(payload(api.auth.me.get())))?.code).toBe("unauthorized");
  expect(session().status).toBe("unauthenticated");
  expect(localStorage.getItem("token")).toBeNull();
  expect(location.pathname).toBe("/login");
});

test("a 401 answer to a call of an earlier session keeps the present one", async () => {
  let refuse = () => {};
  fakeServer.answer(() => new Promise((resolve) => (refuse = () => resolve(unauthorized()))));
  const refused = failure(payload(api.auth.me.get()));
  while (fakeServer.calls.length === 0) await Bun.sleep(1);
  signOut();
  signIn("another", { id: 1, username: "alice", role: "user" });
  refuse();
  expect((await refused)?.code).toBe("unauthorized");
  expect(session().token).toBe("another");
  expect(location.pathname).toBe("/monitors");
});

test("a 401 answer to a sign-in keeps the session and the page", async () => {
  fakeServer.answer(unauthorized);
  await failure(payload(api.auth.login.post({ username: "alice", password: "wrong" }), { isLogin: true }));
  expect(session().status).toBe("authenticated");
  expect(location.pathname).toBe("/monitors");
});

test("the error of a refused call has the code, message and fields of the answer", async () => {
  const errors = [{ path: "name", message: "name: expected a name" }];
  fakeServer.answer(() =>
    Response.json({ success: false, code: "validation", message: "No.", errors }, { status: 422 }),
  );
  expect(await failure(payload(api.auth.me.get()))).toMatchObject({
    code: "validation",
    message: "No.",
    status: 422,
    fields: errors,
  });
});

test("an answer of 200 with success false is a failure, with its code and message", async () => {
  fakeServer.answer(() => Response.json({ success: false, code: "username_taken", message: "Taken." }));
  expect(await failure(payload(api.auth.me.get()))).toMatchObject({ code: "username_taken", message: "Taken." });
});

test("the error of an answer with a message and no code has the message, and no code of a general text", async () => {
  fakeServer.answer(() => Response.json({ success: false, message: "Server says no" }, { status: 403 }));
  expect(await failure(payload(api.auth.me.get()))).toMatchObject({ code: "unknown", message: "Server says no" });
  fakeServer.answer(() => Response.json({ success: false }, { status: 403 }));
  expect(await failure(payload(api.auth.me.get()))).toMatchObject({ code: "internal" });
});

test("an error answer that is not JSON, as a proxy may send, has the code internal", async () => {
  fakeServer.answer(
    () => new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "content-type": "text/html" } }),
  );
  expect(await failure(payload(api.auth.me.get()))).toMatchObject({ code: "internal", status: 502 });
});

test("a call without an answer within the configured API timeout fails with the code timeout", async () => {
  const usual = bootstrap.apiTimeout;
  onTestFinished(() => {
    bootstrap.apiTimeout = usual;
  });
  bootstrap.apiTimeout = 20;
  fakeServer.answer(() => new Promise<Response>(() => {}));
  expect(await failure(payload(api.auth.me.get()))).toMatchObject({ code: "timeout", status: 0 });
});
