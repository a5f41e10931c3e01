import { describe, expect, it } from "bun:test";
import { createOutbound } from "../../../../probe/outbound";
import { addChannel, readDeliveries } from "../../../../testing/fixtures/alerts";
import {
  CHANNELS,
  createWebhookApp,
  SIGNING_SECRET,
  TOKEN,
  webhookChannel,
} from "../../../../testing/fixtures/webhooks";
import { serveTarget } from "../../../../testing/servers/targets";

/** The codes of the fields that an answer refuses. */
const codesOf = ({ text }: { text: string }) =>
  (JSON.parse(text).errors as { code?: string }[]).map(({ code }) => code);

describe("a webhook to a private address", () => {
  const blocked = (rule: string) =>
    `The provider said: blocked: the address is private or this machine's own, and ${rule}`;

  it("is refused by the rule for monitors", async () => {
    const hook = serveTarget();
    for (const [rule, alices, bobs] of [
      ["all", 200, 200],
      ["admin", 200, 502],
      ["none", 502, 502],
    ] as const) {
      const { app, alice, test } = await createWebhookApp(rule);
      expect([rule, (await app.as(alice).post(`${CHANNELS}/test`, webhookChannel(hook.url))).status]).toEqual([
        rule,
        alices,
      ]);
      expect([rule, (await test(hook.url)).status]).toEqual([rule, bobs]);
    }
    expect(hook.requests).toHaveLength(3);
  });

  it("makes the delivery fail, and the channel shows the reason", async () => {
    const hook = serveTarget();
    const { app, alert, problemOf } = await createWebhookApp("none");
    const { id } = await alert(hook.url);
    expect(await readDeliveries(app)).toMatchObject([{ state: "failed", attempts: 1 }]);
    expect(`The provider said: ${await problemOf(id)}`).toBe(blocked("PRIVATE_TARGETS=none allows none"));
    expect(hook.requests).toHaveLength(0);
  });

  it("is refused at the connection for every host name and notation", async () => {
    const hook = serveTarget();
    const { app, test } = await createWebhookApp("admin");
    const lookup = async () => [{ address: "127.0.0.1", ttl: 60 }];
    const dns = { lookup, lookupByLibc: async () => [], isAnswering: async () => true, shortage: () => null };
    app.deps.outbound = createOutbound({ clock: app.clock, log: app.deps.log }, dns);
    for (const host of ["public.example", "127.1", "0x7f000001", "[::ffff:127.0.0.1]", "0.0.0.0"]) {
      const { body } = await test(`http://${host}:${hook.port}/`);
      expect([host, body.message]).toEqual([host, blocked("only administrators may use those")]);
    }
    expect(hook.requests).toHaveLength(0);
  });
});

describe("the secrets of a webhook", () => {
  const config = { headers: `Authorization: Bearer ${TOKEN}`, secret: SIGNING_SECRET };

  it("are masked when read, and left out of exports", async () => {
    const { app, bob, client } = await createWebhookApp();
    await addChannel(app, bob, webhookChannel("https://hooks.example/a", config));
    const { channels } = (await client.get("/api/notifications")).body.data;
    expect(channels[0]?.config).toEqual({
      url: "https://hooks.example/a",
      headers: "Authorization: ••••6789",
      secret: "••••cdef",
    });
    const { text } = await client.get("/api/export");
    for (const secret of [TOKEN, SIGNING_SECRET, TOKEN.slice(-4), SIGNING_SECRET.slice(-4)])
      expect(text).not.toContain(secret);
  });

  it("include the path and query of the URL for a read-only API key", async () => {
    const { app, bob, client } = await createWebhookApp();
    for (const url of ["https://hooks.example/a/token?key=1", "https://hooks.example/"])
      await addChannel(app, bob, webhookChannel(url));
    const { key } = JSON.parse((await client.post("/api/keys", { name: "dashboards", scope: "read" })).text);
    const { channels } = (await app.as({ ...bob, token: key }).get("/api/notifications")).body.data;
    expect(channels.map(({ config }) => config.url)).toEqual(["https://hooks.example/••••", "https://hooks.example/"]);
  });

  it("make an imported channel incomplete when they are missing, also optional ones", async () => {
    const { app, bob, charlie, client } = await createWebhookApp();
    await addChannel(app, bob, webhookChannel("https://hooks.example/a", config));
    await addChannel(app, bob, { ...webhookChannel("https://hooks.example/b"), name: "open" });
    const file = JSON.parse((await client.get("/api/export")).text);
    for (const created of [2, 0]) {
      const imported = await app.as(charlie).post("/api/import", file);
      expect(JSON.parse(imported.text).created.channels).toBe(created);
    }
    const { channels } = (await app.as(charlie).get("/api/notifications")).body.data;
    expect(channels.map(({ config, enabled }) => [config, enabled])).toEqual([
      [{ url: "https://hooks.example/a" }, false],
      [{ url: "https://hooks.example/b" }, true],
    ]);
    expect(JSON.parse((await client.post("/api/import", file)).text).created.channels).toBe(0);
  });

  it("are sent only to the origin for which they were entered", async () => {
    const [hook, other] = [serveTarget(), serveTarget()];
    const { app, bob, client } = await createWebhookApp();
    const id = await addChannel(app, bob, webhookChannel(hook.url, config));
    const masked = { headers: "Authorization: ••••6789", secret: "••••cdef" };
    for (const answer of [
      await client.post(`${CHANNELS}/test`, { id, ...webhookChannel(other.url, masked) }),
      await client.put(`${CHANNELS}/${id}`, webhookChannel(other.url, masked)),
    ])
      expect([answer.status, codesOf(answer)]).toEqual([422, ["headers_invalid"]]);
    expect(other.requests).toHaveLength(0);
    const kept = { id, ...webhookChannel(`${hook.url}other-path`, masked) };
    expect((await client.post(`${CHANNELS}/test`, kept)).status).toBe(200);
    expect(hook.requests[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it("are not shown when the receiver repeats them, nor logged", async () => {
    const hook = serveTarget((_, { headers }) => new Response(`${TOKEN} ${headers.authorization} ${SIGNING_SECRET}`));
    const { app, test } = await createWebhookApp();
    expect((await test(hook.url, config)).body.message).toBe("200: •••• •••• ••••");
    for (const secret of [TOKEN, SIGNING_SECRET]) expect(app.logged.join("")).not.toContain(secret);
  });

  it("can't add headers or lines to the request", async () => {
    const { app, bob, client } = await createWebhookApp();
    for (const headers of ["X-A: 1\rX-B: 2", "X-A: 1\u0001", "X-A\u007f: 1", "Host: evil.example", "X-A: a\u2028b"]) {
      const answer = await client.post(CHANNELS, webhookChannel("https://hooks.example/", { headers }));
      expect([headers, answer.status, codesOf(answer)]).toEqual([headers, 422, ["headers_invalid"]]);
    }
    const id = await addChannel(app, bob, webhookChannel("https://hooks.example/"));
    const answer = await client.put(`${CHANNELS}/${id}`, webhookChannel("https://a.example/\r\nX-A: 1"));
    expect([answer.status, codesOf(answer)]).toEqual([422, ["url_invalid"]]);
  });
});
