import { describe, expect, it } from "bun:test";
import { readSetting } from "../../../db/app-settings";
import { users } from "../../../db/schema";
import { createTestApp, type TestApp } from "../../../testing/app";
import { call } from "../../../testing/client";
import { setupCode } from "./registration";

const REGISTER = "/api/auth/register";
const account = (more: object = {}) => ({ username: "alice", password: "long enough", ...more });

/** A caller by the address of the connection, the Host header and other headers. */
type From = { peer?: string; host?: string; headers?: Record<string, string> };

const callFrom = ({ app, send }: TestApp, path: string, body: object | null, from: From) => {
  const { peer = "203.0.113.9", host = "watch.example.com", headers = {} } = from;
  app.server = { requestIP: () => ({ address: peer }), timeout: () => {} } as unknown as typeof app.server;
  const method = body ? "POST" : "GET";
  const type = body ? { "content-type": "application/json" } : undefined;
  return call(send, `http://${host}${path}`, {
    method,
    headers: { ...headers, ...type },
    body: body && JSON.stringify(body),
  });
};
const registerFrom = (app: TestApp, from: From, more: object = {}) => callFrom(app, REGISTER, account(more), from);
const roles = async ({ db }: TestApp) => (await db.select().from(users).orderBy(users.id)).map(({ role }) => role);

describe("the first account", () => {
  it("needs no setup code from this machine or a private network under an IP address or localhost", async () => {
    for (const [peer, host] of [
      ["127.0.0.1", "localhost:8080"],
      ["::1", "[::1]:8080"],
      ["172.17.0.1", "127.0.0.1:8080"],
      ["::ffff:192.168.1.20", "192.168.1.5:8080"],
      ["fd00::7", "[fd00::5]"],
      ["10.0.0.9", "203.0.113.5"],
    ]) {
      const app = await createTestApp();
      expect((await callFrom(app, "/api/auth/registration", null, { peer, host })).body.first).toBe(true);
      expect([peer, (await registerFrom(app, { peer, host })).status]).toEqual([peer, 201]);
      expect(await roles(app)).toEqual(["admin"]);
    }
  });

  it("needs the setup code from other networks, through a proxy, and under a public host name", async () => {
    const app = await createTestApp();
    const local = { peer: "127.0.0.1", host: "localhost" };
    const others: From[] = [
      { peer: "203.0.113.9", host: "203.0.113.5" },
      { peer: "100.64.0.9", host: "203.0.113.5" },
      // A page of another site whose name points at this machine.
      { peer: "127.0.0.1", host: "rebind.example:8080" },
      { ...local, headers: { origin: "http://rebind.example:8080" } },
      ...[
        ...["x-forwarded-for", "forwarded", "x-real-ip", "via", "x-forwarded-proto", "cf-connecting-ip", "cf-ray"],
        ...[
          "x-client-ip",
          "x-cluster-client-ip",
          "x-remote-addr",
          "x-azure-clientip",
          "x-appengine-user-ip",
          "cdn-loop",
        ],
        ...["ali-cdn-real-ip", "x-original-url", "x-arr-log-id", "x-amz-cf-id", "wl-proxy-client-ip", "true-client-ip"],
      ].map((name) => ({
        ...local,
        headers: { [name]: "127.0.0.1" },
      })),
    ];
    for (const from of others) {
      const state = await callFrom(app, "/api/auth/registration", null, from);
      expect(state.body).toMatchObject({ open: true, first: false });
      const { status, body } = await registerFrom(app, from);
      expect([from, status, body.code]).toEqual([from, 403, "setup_code_required"]);
    }
    expect(await roles(app)).toEqual([]);
  });

  it("is created with the setup code from any network, in any spelling, and the code is then deleted", async () => {
    const app = await createTestApp();
    const code = (await setupCode(app.deps)).toLowerCase().replaceAll("-", " ");
    const wrong = await registerFrom(app, {}, { setup_code: "AAAAA-AAAAA-AAAAA-AAAAA" });
    expect([wrong.status, wrong.body.code]).toEqual([403, "setup_code_wrong"]);
    expect((await registerFrom(app, {}, { setup_code: code })).status).toBe(201);
    expect(await roles(app)).toEqual(["admin"]);
    expect(await readSetting(app.db, "setup_code")).toBeUndefined();
    // The public form stays open, and needs no code.
    expect((await registerFrom(app, {}, { username: "bob" })).status).toBe(201);
    expect(await roles(app)).toEqual(["admin", "user"]);
  });

  it("allows ten wrong setup codes from one address in 15 minutes", async () => {
    const app = await createTestApp();
    const code = await setupCode(app.deps);
    for (let time = 0; time < 10; time++)
      expect((await registerFrom(app, {}, { setup_code: "wrong" })).body.code).toBe("setup_code_wrong");
    expect((await registerFrom(app, {}, { setup_code: code })).status).toBe(429);
    expect((await registerFrom(app, { peer: "203.0.113.10" }, { setup_code: code })).status).toBe(201);
  });

  it("needs no setup code under the host of PUBLIC_URL without a proxy", async () => {
    const app = await createTestApp({ env: { PUBLIC_URL: "http://watch.example.com:8080" } });
    expect((await registerFrom(app, { peer: "192.168.1.20", host: "watch.example.com:8080" })).status).toBe(201);
  });

  it("needs the setup code from every caller while REGISTRATION=closed", async () => {
    const app = await createTestApp({ env: { REGISTRATION: "closed" } });
    const local = { peer: "127.0.0.1", host: "localhost" };
    const { status, body } = await registerFrom(app, local);
    expect([status, body.code]).toEqual([403, "registration_closed"]);
    const code = await setupCode(app.deps);
    expect((await registerFrom(app, local, { setup_code: "wrong" })).body.code).toBe("setup_code_wrong");
    expect((await registerFrom(app, local, { setup_code: code })).status).toBe(201);
    expect(await roles(app)).toEqual(["admin"]);
    expect((await registerFrom(app, local, { username: "bob", setup_code: code })).body.code).toBe(
      "registration_closed",
    );
  });
});

describe("the base address of links in alerts", () => {
  it("is taken from an administrator's sign-in, and never from a host name that other people could point at this hub", async () => {
    const app = await createTestApp();
    await registerFrom(app, { peer: "127.0.0.1", host: "localhost" });
    const addressAfter = async (origin: string) => {
      await app.anybody.post("/api/auth/login", account(), { origin });
      return readSetting(app.db, "seen_url");
    };
    expect(await addressAfter("http://rebind.example:8080")).toBeUndefined();
    expect(await addressAfter("null")).toBeUndefined();
    const taken = ["http://192.168.1.5:8080", "http://nas:8080", "http://nas.local", "https://watch.example.com"];
    for (const origin of taken) expect(await addressAfter(origin)).toBe(origin);
    expect(await addressAfter("http://watch.example.com")).toBe("https://watch.example.com");
  });
});
