import { afterAll, beforeAll, expect, it } from "bun:test";
import { freePort } from "../lib/free-port";
import { type HubProcess, installConsole, startConsole } from "../lib/hub";
import { startNginx } from "../lib/nginx";

const installation = installConsole();
const port = freePort();
let running: HubProcess;
let proxy: Awaited<ReturnType<typeof startNginx>>;

beforeAll(async () => {
  running = await startConsole(installation, {
    // The proxy connects from another address than other clients of this machine.
    ...{ AUTH_HEADER: "Remote-User", AUTH_HEADER_GROUPS: "Remote-Groups", AUTH_HEADER_ADMIN_GROUP: "admins" },
    ...{ TRUST_PROXY: "1", TRUSTED_PROXIES: "127.0.0.2" },
  });
  // As Authelia does by auth_request: the user of a request is known by its cookie.
  proxy = await startNginx(
    port,
    `map $cookie_session $user { default ""; one "alice"; two "张伟"; }
     map $cookie_session $groups { default ""; one "staff,admins"; }
     server {
       listen 127.0.0.1:${port};
       location / {
         proxy_bind 127.0.0.2;
         proxy_set_header Remote-User $user;
         proxy_set_header Remote-Groups $groups;
         proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
         proxy_pass ${running.origin};
       }
     }`,
  );
});

afterAll(async () => {
  await proxy.stop();
  await running.stop();
  installation.remove();
});

const signIn = async (origin: string, headers: Record<string, string>) => {
  const answer = await fetch(`${origin}/api/auth/header`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: "{}",
  });
  return { status: answer.status, body: await answer.json() };
};

it("nginx signs in the user whom it names, and no client can name one itself", async () => {
  const front = `http://127.0.0.1:${port}`;
  expect((await signIn(front, { cookie: "session=one" })).body.user).toMatchObject({
    username: "alice",
    role: "admin",
  });
  expect((await signIn(front, { cookie: "session=two" })).body.user).toMatchObject({ username: "张伟", role: "user" });
  // The proxy replaces what a client sends, and the hub ignores what comes past the proxy.
  const forged = { "remote-user": "alice", "remote-groups": "admins" };
  expect((await signIn(front, { cookie: "session=two", ...forged })).body.user).toMatchObject({ username: "张伟" });
  for (const [origin, headers] of [
    [front, forged],
    [running.origin, forged],
    [running.origin, { ...forged, "x-forwarded-for": "127.0.0.2" }],
  ] as const)
    expect(await signIn(origin, headers)).toMatchObject({ status: 403, body: { code: "proxy_required" } });
  expect(running.log.filter((line) => line.includes("sign_in_failed")).length).toBeGreaterThan(0);
});
