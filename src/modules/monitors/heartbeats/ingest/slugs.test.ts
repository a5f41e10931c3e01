import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { heartbeats, monitors } from "../../../../db/schema";
import { MINUTE, SECOND } from "../../../../shared/limits";
import { createTestApp, type TestApp } from "../../../../testing/app";
import { addHeartbeat } from "../../../../testing/fixtures/heartbeats";
import type { TestUser } from "../../../../testing/fixtures/people";
import type { PresentedMonitor } from "../../present";
import { createHeartbeat } from "./addresses";

const addKey = async (app: TestApp, owner: TestUser, body: object = {}) => {
  const { status, text } = await app.as(owner).post("/api/ping-keys", body);
  return { status, ...(JSON.parse(text) as { key: { id: number; key: string }; code?: string }) };
};

/** A heartbeat of bob with a slug, and a function that sends pings with his ping key. */
const setUp = async (env: Record<string, string> = {}) => {
  const app = await createTestApp({ env });
  const { alice, bob, charlie } = await app.people();
  const beat = await addHeartbeat(app, bob, { every: 3600, grace: 600, slug: "backup" });
  const { key } = await addKey(app, bob);
  const send = (path: string, init: RequestInit = {}, from = key.key) =>
    app.send(new Request(`http://localhost/ping/${from}/${path}`, init));
  const ping = async (...call: Parameters<typeof send>) => {
    const answer = await send(...call);
    return [answer.status, await answer.text()] as const;
  };
  const codeOf = async (...call: Parameters<typeof send>) => {
    const [status, text] = await ping(...call);
    return [status, JSON.parse(text).code];
  };
  const listed = async () =>
    (await app.as(bob).get("/api/monitors?fields=all&sort=created")).body.monitors as PresentedMonitor[];
  return { app, alice, bob, charlie, ...beat, key, send, ping, codeOf, listed };
};

describe("a ping with a ping key and a slug", () => {
  it("reports success, a start, a failure, a log entry, an exit status and an interruption, as a token does", async () => {
    const { app, ping, send, detail, pings } = await setUp();
    for (const method of ["GET", "HEAD", "POST"]) {
      const answer = await send("backup", { method });
      expect([method, answer.status, await answer.text()]).toEqual([method, 200, method === "HEAD" ? "" : "OK"]);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    }
    const rid = crypto.randomUUID();
    expect(await ping(`backup/start?rid=${rid}`)).toEqual([200, "OK"]);
    await app.clock.advance(90 * SECOND);
    expect(await ping(`backup?rid=${rid}`, { method: "POST", body: "done" })).toEqual([200, "OK"]);
    expect((await pings())[0]).toMatchObject({ kind: "success", duration: 90_000, run_id: rid, body: "done" });
    await ping("backup/log", { method: "POST", body: "half done" });
    await ping("backup/17");
    expect(await detail()).toMatchObject({ status: "down", error_detail: { status: 17 } });
    await ping("backup/0");
    await ping("backup/fail");
    expect((await pings()).map(({ kind }) => kind).slice(0, 4)).toEqual(["fail", "success", "fail", "log"]);
    expect(await ping("backup/mute/15", { method: "POST" })).toEqual([200, "OK"]);
    expect((await detail()).heartbeat?.muted_until).toBe(new Date(app.clock.now() + 15 * MINUTE).toISOString());
  });

  it("is stored along with one to the token at the same moment", async () => {
    const { app, send, ping, pings, token, bob } = await setUp();
    const other = (await addKey(app, bob)).key.key;
    const answers = await Promise.all([
      send("backup/log"),
      app.send(new Request(`http://localhost/ping/${token}/log`)),
      send("backup/log", {}, other),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await pings()).toHaveLength(3);
    expect(await ping("backup")).toEqual([200, "OK"]);
  });

  it("is answered 404 for an unknown key or slug, the slug of another team, and a word that is no slug", async () => {
    const { app, codeOf, charlie, key } = await setUp();
    const theirs = (await addKey(app, charlie)).key.key;
    for (const [path, from] of [
      ["other", key.key],
      ["backup", "Unknown1234567890abcdef"],
      ["backup", theirs],
      ["a.b", key.key],
      ["x".repeat(101), key.key],
      ["mute", key.key],
      ["start/start", key.key],
      ["7/start", key.key],
      ["backup/stop", key.key],
      ["start", key.key],
    ] as const)
      expect([path, ...(await codeOf(path, {}, from))]).toEqual([path, 404, "not_found"]);
    expect(await codeOf("backup/256")).toEqual([422, "validation"]);
    expect(await codeOf("backup/mute/0", { method: "POST" })).toEqual([422, "validation"]);
  });

  it("is answered 409 when two heartbeats of the team have the slug", async () => {
    const { app, bob, codeOf } = await setUp();
    const { id } = await addHeartbeat(app, bob);
    await app.db.update(heartbeats).set({ slug: "backup" }).where(eq(heartbeats.monitorId, id));
    expect(await codeOf("backup")).toEqual([409, "slug_ambiguous"]);
    expect(await codeOf("backup?create=1")).toEqual([409, "slug_ambiguous"]);
  });

  it("of an unknown slug is rate limited by network, and known slugs in it are served", async () => {
    const { codeOf, ping } = await setUp();
    expect(await ping("backup")).toEqual([200, "OK"]);
    for (let count = 0; count < 61; count++) expect(await codeOf(`guess-${count}`)).toEqual([404, "not_found"]);
    expect(await codeOf("guess")).toEqual([429, "rate_limited"]);
    expect(await ping("backup")).toEqual([200, "OK"]);
  });
});

describe("create=1", () => {
  it("creates the heartbeat of a slug with the first ping of any kind: each day, an hour late at most", async () => {
    const { ping, listed } = await setUp();
    expect(await ping("web-01?create=1")).toEqual([201, "Created"]);
    expect(await ping("web-01?create=1")).toEqual([200, "OK"]);
    expect(await ping("web-02/start?create=1", { method: "POST", body: "x" })).toEqual([201, "Created"]);
    expect(await ping("WEB_3/1?create=1")).toEqual([201, "Created"]);
    expect(await listed()).toMatchObject([
      { name: "backup" },
      { name: "web-01", kind: "heartbeat", status: "up", config: { every: 86_400, grace: 3600, slug: "web-01" } },
      { name: "web-02", status: "pending" },
      { name: "WEB_3", status: "down" },
    ]);
  });

  it("creates nothing with an unknown or revoked key, for a token, and for a word that is no slug", async () => {
    const { app, bob, codeOf, key, token, listed } = await setUp();
    expect(await codeOf("new?create=1", {}, "Unknown1234567890abcdef")).toEqual([404, "not_found"]);
    expect(await codeOf("new?create=1", {}, token)).toEqual([404, "not_found"]);
    expect(await codeOf("new?create=0")).toEqual([404, "not_found"]);
    expect(await codeOf("start?create=1")).toEqual([404, "not_found"]);
    expect(await codeOf("a.b?create=1")).toEqual([404, "not_found"]);
    expect((await app.as(bob).delete(`/api/ping-keys/${key.id}`)).status).toBe(200);
    expect(await codeOf("new?create=1")).toEqual([404, "not_found"]);
    await createHeartbeat(app.deps, { token: key.key, slug: "new" });
    expect(await listed()).toHaveLength(1);
  });

  it("creates one heartbeat for pings that arrive at the same time, at two instances too", async () => {
    const { app, send, key, listed } = await setUp();
    const answers = await Promise.all([send("new?create=1"), send("new/log?create=1"), send("new?create=1")]);
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200]);
    const address = { token: key.key, slug: "newer" };
    await Promise.all([createHeartbeat(app.deps, address), createHeartbeat(app.deps, address)]);
    expect((await listed()).map(({ name }) => name)).toEqual(["backup", "new", "newer"]);
  });

  it("is refused above the quota of the key's owner, and above 60 in a minute", async () => {
    const { app, codeOf, ping, alice, send } = await setUp({ QUOTA_MONITORS: "2" });
    expect(await ping("one?create=1")).toEqual([201, "Created"]);
    expect(await codeOf("two?create=1")).toEqual([409, "quota_reached"]);
    const { key } = (await addKey(app, alice)).key;
    for (let count = 0; count < 60; count++) expect((await send(`job-${count}?create=1`, {}, key)).status).toBe(201);
    expect(await codeOf("job?create=1", {}, key)).toEqual([429, "rate_limited"]);
    expect(await ping("job-1?create=1", {}, key)).toEqual([200, "OK"]);
    await app.clock.advance(MINUTE);
    expect(await ping("job?create=1", {}, key)).toEqual([201, "Created"]);
    expect(await app.db.$count(monitors)).toBe(63);
  });
});

describe("a slug", () => {
  it("is unique in its team, and is changed and removed with its heartbeat", async () => {
    const { app, bob, charlie, client, id, ping, listed } = await setUp();
    const body = { name: "second", kind: "heartbeat", config: { every: 3600, slug: "backup" } };
    const refused = await client.post("/api/monitors", body);
    expect([refused.status, refused.body.errors] as unknown).toEqual([
      422,
      [{ path: "config.slug", message: "config.slug: another heartbeat has it", code: "slug_taken" }],
    ]);
    expect((await app.as(charlie).post("/api/monitors", body)).status).toBe(201);
    const second = await addHeartbeat(app, bob);
    const put = (one: number, config: object) =>
      client.put(`/api/monitors/${one}`, { name: "x", config: { every: 3600, ...config } });
    expect((await put(second.id, { slug: "backup" })).body.errors).toMatchObject([{ path: "config.slug" }]);
    expect((await put(id, { slug: "nightly" })).status).toBe(200);
    expect((await ping("backup"))[0]).toBe(404);
    expect(await ping("nightly")).toEqual([200, "OK"]);
    expect((await put(second.id, { slug: "backup" })).status).toBe(200);
    expect((await put(id, { every: 7200 })).body.monitor).toMatchObject({ config: { slug: "nightly" } });
    expect((await put(id, { slug: "" })).status).toBe(200);
    expect((await ping("nightly"))[0]).toBe(404);
    for (const slug of ["start", "log", "7", "a b", "a/b", "ü", "x".repeat(101)])
      expect([slug, (await put(id, { slug })).status]).toEqual([slug, 422]);
    expect((await listed()).map(({ config }) => config?.slug)).toEqual(["", "backup"]);
  });

  it("is in the answer with the oldest ping key, which read-only keys do not see", async () => {
    const { app, bob, client, id, key, detail } = await setUp();
    await addKey(app, bob);
    expect((await detail()).slug_url).toEndWith(`/ping/${key.key}/backup`);
    const reading = (await client.post("/api/keys", { name: "x", scope: "read" })).body as unknown as { key: string };
    const reader = app.as({ ...bob, token: reading.key });
    expect((await reader.get(`/api/monitors/${id}`)).body.monitor.slug_url).toBeNull();
    expect((await reader.get("/api/ping-keys")).status).toBe(403);
    const { id: other } = await addHeartbeat(app, bob);
    expect((await client.get(`/api/monitors/${other}`)).body.monitor.slug_url).toBeNull();
  });

  it("comes along in an exported file, and is left out where another heartbeat has it", async () => {
    const { app, bob, charlie, client, listed } = await setUp();
    const file = JSON.parse((await client.get("/api/export")).text);
    const theirs = app.as(charlie);
    expect(JSON.parse((await theirs.post("/api/import", file)).text).notes).toMatchObject([
      { code: "ping_url_new" },
      { code: "ping_key_taken" },
    ]);
    expect((await theirs.get("/api/monitors?fields=all")).body.monitors).toMatchObject([
      { config: { slug: "backup" } },
    ]);
    const [monitor] = file.monitors;
    const changed = { ...file, monitors: [{ ...monitor, name: "copy", ping_token: undefined }] };
    for (const created of [1, 0]) {
      const { notes, imported } = JSON.parse((await app.as(bob).post("/api/import", changed)).text);
      expect([imported?.monitors ?? created, notes.map(({ code }: { code: string }) => code)]).toEqual([
        created,
        created === 1 ? ["slug_taken"] : [],
      ]);
    }
    expect((await listed()).map(({ name, config }) => [name, config?.slug])).toEqual([
      ["backup", "backup"],
      ["copy", ""],
    ]);
  });
});

describe("a ping key", () => {
  it("is random, or that of another product, of one team only", async () => {
    const { app, bob, charlie, client, key } = await setUp();
    expect(key.key).toMatch(/^[\w-]{22}$/);
    const own = "Zk3cXr8mQ2vT1aBcD4eF5g";
    const first = await addKey(app, bob, { key: own });
    expect([first.status, first.key.key]).toEqual([201, own]);
    expect((await addKey(app, bob, { key: own })).key.id).toBe(first.key.id);
    expect(await addKey(app, charlie, { key: own })).toMatchObject({ status: 409, code: "ping_key_taken" });
    for (const wrong of ["short", "a/b-c-d-e-f-g", "x".repeat(65), 7])
      expect((await addKey(app, bob, { key: wrong })).status).toBe(422);
    const { keys } = JSON.parse((await client.get("/api/ping-keys")).text);
    expect(keys.map((one: { key: string }) => one.key)).toEqual([key.key, own]);
    expect(JSON.parse((await app.as(charlie).get("/api/ping-keys")).text).keys).toEqual([]);
    expect((await app.as(charlie).delete(`/api/ping-keys/${key.id}`)).status).toBe(404);
  });

  it("is one of at most 20", async () => {
    const { app, bob } = await setUp();
    for (let count = 1; count < 20; count++) expect((await addKey(app, bob)).status).toBe(201);
    expect(await addKey(app, bob)).toMatchObject({ status: 409, code: "too_many_ping_keys" });
  });
});
