import { describe, expect, it } from "bun:test";
import { MINUTE, SECOND } from "../../../../shared/limits";
import { createTestApp } from "../../../../testing/app";
import { addHeartbeat } from "../../../../testing/fixtures/heartbeats";

const setUp = async (config?: object) => {
  const app = await createTestApp();
  const { bob } = await app.people();
  return { app, ...(await addHeartbeat(app, bob, config)) };
};

describe("a ping", () => {
  it("makes a new heartbeat up and sets its deadline; GET, HEAD and POST count alike", async () => {
    const { app, send, detail, pings } = await setUp();
    for (const method of ["GET", "HEAD", "POST"]) {
      const answer = await send("", { method });
      expect([method, answer.status, await answer.text()]).toEqual([method, 200, method === "HEAD" ? "" : "OK"]);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("ping-body-limit")).toBe("10000");
      const { status, heartbeat } = await detail();
      expect([status, heartbeat?.state]).toEqual(["up", "waiting"]);
      expect(Date.parse(heartbeat?.deadline ?? "")).toBe(app.clock.now() + 4200 * SECOND);
      await app.clock.advance(MINUTE);
    }
    expect((await pings()).map(({ kind }) => kind)).toEqual(["success", "success", "success"]);
  });

  it("of a start shows the heartbeat as running, and its end records the duration", async () => {
    const { app, ping, detail, pings, checks } = await setUp();
    await ping("/start");
    expect((await detail()).status).toBe("pending");
    expect((await detail()).heartbeat).toMatchObject({ state: "running" });
    await app.clock.advance(90 * SECOND);
    await ping();
    expect((await pings()).map(({ kind, duration }) => [kind, duration])).toEqual([
      ["success", 90_000],
      ["start", null],
    ]);
    expect((await checks())[0]).toMatchObject({ status: "up", response_time: 90_000 });
    expect((await detail()).heartbeat).toMatchObject({ state: "waiting", running_since: null });
  });

  it("of a failure or another exit status than 0 is an outage at once, and success ends it", async () => {
    const { app, client, id, ping, detail } = await setUp();
    for (const [path, code, detailOf] of [
      ["/fail", "heartbeat_failed", null],
      ["/17", "heartbeat_exit", { status: 17 }],
    ] as const) {
      await ping(path);
      expect(await detail()).toMatchObject({ status: "down", error_code: code, error_detail: detailOf });
      await app.clock.advance(MINUTE);
      await ping("/0");
      expect((await detail()).status).toBe("up");
      await app.clock.advance(MINUTE);
    }
    const { outages } = (await client.get(`/api/outages?target=monitor:${id}`)).body;
    expect(outages.map(({ error_code, ended_at }) => [error_code, ended_at !== null])).toEqual([
      ["heartbeat_exit", true],
      ["heartbeat_failed", true],
    ]);
  });

  it("of a log entry changes nothing but the list of pings", async () => {
    const { app, ping, detail, pings } = await setUp();
    await ping();
    const before = await detail();
    await app.clock.advance(MINUTE);
    await ping("/log", { method: "POST", body: "half done" });
    const after = await detail();
    expect([after.status, after.heartbeat?.deadline]).toEqual([before.status, before.heartbeat?.deadline]);
    expect((await pings())[0]).toMatchObject({ kind: "log", body: "half done" });
  });

  it("with an id ends the run of the same id, also where runs overlap", async () => {
    const { app, ping, pings, detail } = await setUp();
    const [a, b] = [crypto.randomUUID(), crypto.randomUUID()];
    await ping(`/start?rid=${a}`);
    await app.clock.advance(10 * SECOND);
    await ping(`/start?rid=${b}`);
    await app.clock.advance(10 * SECOND);
    await ping(`?rid=${a}`);
    expect((await detail()).heartbeat?.state).toBe("running");
    await app.clock.advance(10 * SECOND);
    await ping(`?rid=${b}`);
    expect((await detail()).heartbeat?.state).toBe("waiting");
    expect((await pings()).map(({ run_id, duration }) => [run_id, duration])).toEqual([
      [b, 20_000],
      [a, 20_000],
      [b, null],
      [a, null],
    ]);
  });

  it("keeps 10,000 bytes of a body that is UTF-8, without a character that is cut off", async () => {
    const { ping, pings } = await setUp();
    const send = (body: string | Uint8Array<ArrayBuffer>) => ping("", { method: "POST", body });
    await send("é".repeat(6000));
    expect((await pings())[0]?.body).toBe("é".repeat(5000));
    await send(`x${"é".repeat(6000)}`);
    expect((await pings())[0]?.body).toBe(`x${"é".repeat(4999)}`);
    await send(new Uint8Array([255, 254, 0]));
    expect((await pings())[0]?.body).toBeNull();
    await send("a\0b");
    expect((await pings())[0]?.body).toBe("a�b");
  });

  it("is counted by POST only if the heartbeat says so", async () => {
    const { send, pings } = await setUp({ every: 60, post_only: true });
    for (const method of ["GET", "HEAD"]) {
      const answer = await send("", { method });
      expect([method, answer.status, answer.headers.get("allow")]).toEqual([method, 405, "POST"]);
    }
    expect(await pings()).toEqual([]);
    expect((await send("", { method: "POST" })).status).toBe(200);
  });

  it("to a paused heartbeat is recorded and changes nothing", async () => {
    const { client, id, ping, detail, pings, checks } = await setUp();
    await ping();
    await client.post(`/api/monitors/${id}/pause`);
    for (const path of ["", "/fail", "/start"]) await ping(path);
    expect((await pings()).map(({ kind }) => kind)).toEqual(["start", "fail", "success", "success"]);
    const { heartbeat, status: shown } = await detail();
    expect([shown, heartbeat?.state, heartbeat?.deadline, heartbeat?.running_since]).toEqual([
      "paused",
      "paused",
      null,
      null,
    ]);
    expect(await checks()).toHaveLength(1);
  });

  it("in Uptime Kuma's dialect reports up or down with a message and a duration", async () => {
    const { push, pings, detail, checks } = await setUp();
    const answer = await push("?status=up&msg=fine&ping=23.5");
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
    expect((await pings())[0]).toMatchObject({ kind: "success", body: "fine", duration: 24 });
    expect((await checks())[0]?.response_time).toBe(23.5);
    await push("?status=down&msg=broken&ping=");
    expect(await detail()).toMatchObject({ status: "down", error_code: "heartbeat_failed" });
    expect((await pings())[0]).toMatchObject({ kind: "fail", body: "broken", duration: null });
    await push(`?msg=${encodeURIComponent("好".repeat(4000))}`);
    expect((await pings())[0]?.body).toBe("好".repeat(3333));
  });

  it("in Uptime Kuma's dialect is counted whatever its parameters are", async () => {
    const { push, pings } = await setUp();
    const long = "é".repeat(6000);
    for (const [query, kind, body] of [
      ["?status=&msg=&ping=", "success", null],
      [`?status=up&msg=${encodeURIComponent(long)}`, "success", long.slice(0, 5000)],
      [`?status=${"no route to the host ".repeat(3)}&ping=${"9".repeat(40)}`, "fail", null],
      ["?status=UP&ping=NaN", "fail", null],
    ] as const) {
      expect([query, (await push(query)).status]).toEqual([query, 200]);
      expect((await pings())[0]).toMatchObject({ kind, body, duration: null });
    }
  });

  it("is refused with a sentence when its path or id is not valid", async () => {
    const { send } = await setUp();
    for (const [path, method, status, code] of [
      ["/stop", "GET", 404, "not_found"],
      ["/256", "GET", 422, "validation"],
      ["/-1", "GET", 404, "not_found"],
      ["/1.5", "GET", 404, "not_found"],
      ["?rid=a%20b", "GET", 422, "validation"],
      ["/mute/0", "POST", 422, "validation"],
      ["/mute/1441", "POST", 422, "validation"],
      ["/mute/x", "POST", 422, "validation"],
    ] as const) {
      const answer = await send(path, { method });
      expect([path, answer.status, (await answer.json()).code]).toEqual([path, status, code]);
    }
  });

  it("counts 60 times in a minute, and then not before the next one", async () => {
    const { app, send, pings } = await setUp();
    for (let count = 0; count < 60; count++) expect((await send("/log")).status).toBe(200);
    const refused = await send("/log");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    await app.clock.advance(MINUTE);
    expect((await send("/log")).status).toBe(200);
    expect(await pings()).toHaveLength(61);
  });

  it("leaves the last 100", async () => {
    const { app, send, client, id, pings } = await setUp();
    for (let minute = 0; minute < 3; minute++) {
      for (let count = 0; count < 50; count++)
        await send("/log", { method: "POST", body: String(minute * 50 + count) });
      await app.clock.advance(MINUTE);
    }
    const all = await pings();
    expect([all.length, all[0]?.body, all.at(-1)?.body]).toEqual([100, "149", "50"]);
    const first = (await client.get(`/api/monitors/${id}/pings?limit=60`)).body;
    const second = (await client.get(`/api/monitors/${id}/pings?limit=60&before=${first.next}`)).body;
    expect([...first.pings, ...second.pings]).toEqual(all);
    expect(second.next).toBeNull();
  });
});

it("pings that two instances receive at the same time are all stored, and their outages agree with the last", async () => {
  const { app, token, pings, detail, outages } = await setUp();
  const other = await createTestApp({ clock: app.clock, db: app.db });
  const send = (index: number) =>
    [app, other][index % 2]?.send(new Request(`http://localhost/ping/${token}/${index % 3 === 0 ? "fail" : "0"}`));
  for (let round = 0; round < 5; round++) {
    await app.clock.advance(10 * SECOND);
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => send(index)));
    expect(answers.map((answer) => answer?.status)).toEqual(Array(8).fill(200));
  }
  expect(await pings()).toHaveLength(40);
  const { status } = await detail();
  expect((await outages()).filter(({ ended_at }) => ended_at === null)).toHaveLength(status === "down" ? 1 : 0);
});

describe("an unknown token", () => {
  const unknown = () => Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex");

  it("is refused in both dialects, whatever it looks like", async () => {
    const { app } = await setUp();
    for (const token of [unknown(), "x", "%00", "a".repeat(300), "..%2f"]) {
      for (const [path, method] of [
        [`/ping/${token}`, "GET"],
        [`/ping/${token}/start`, "POST"],
        [`/ping/${token}/mute/5`, "POST"],
        [`/api/push/${token}`, "GET"],
      ] as const) {
        const answer = await app.send(new Request(`http://localhost${path}`, { method }));
        expect([path, answer.status, (await answer.json()).code]).toEqual([path, 404, "not_found"]);
      }
    }
  });

  it("is rate limited by address, and jobs at the same address are still served", async () => {
    const { app, send } = await setUp();
    const guess = async () => (await app.send(new Request(`http://localhost/ping/${unknown()}`))).status;
    expect((await send()).status).toBe(200);
    for (let count = 0; count < 60; count++) expect(await guess()).toBe(404);
    expect(await guess()).toBe(404);
    expect(await guess()).toBe(429);
    expect((await send()).status).toBe(200);
    await app.clock.advance(SECOND);
    expect(await guess()).toBe(404);
    await app.clock.advance(MINUTE);
    expect(await guess()).toBe(404);
    expect(await guess()).toBe(404);
  });
});
