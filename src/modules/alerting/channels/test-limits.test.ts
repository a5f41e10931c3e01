import { describe, expect, it } from "bun:test";
import { TRIALS_PER_MINUTE } from "../../../core/trials";
import { madeBy } from "../../../db/owner";
import { MINUTE, SECOND } from "../../../shared/limits";
import { until } from "../../../testing/clock";
import { addChannel, createAlertApp } from "../../../testing/fixtures/alerts";
import { CHANNELS, webhookChannel } from "../../../testing/fixtures/webhooks";
import { serveSmtp } from "../../../testing/servers/smtp";
import { serveHeld, serveTarget } from "../../../testing/servers/targets";

const setUp = async () => {
  const made = await createAlertApp({ limitsTests: true, env: { PRIVATE_TARGETS: "all" } });
  const [alice, bob, charlie] = [made.alice, made.bob, made.charlie].map((user) => made.app.as(user));
  if (!alice || !bob || !charlie) throw new Error("a person is missing");
  const clients = { alice, bob, charlie };
  const test = async (client: typeof alice, url: string) => {
    const { status, headers, body } = await client.post(`${CHANNELS}/test`, webhookChannel(url));
    if (headers.get("retry-after") === "1") expect(body.message).toContain("You can send one test message a second");
    return [status, headers.get("retry-after")];
  };
  return { ...made, clients, test };
};

const mailChannel = (port: number, login: Record<string, string> = {}) => ({
  name: "mail",
  type: "smtp",
  config: {
    ...{
      host: "127.0.0.1",
      port: String(port),
      security: "none",
      from: "alerts@wakeful.example",
      to: "bob@shop.example",
    },
    ...login,
  },
});

describe("test messages", () => {
  it("of a user go to one host at most once a second, whatever the path, and those of administrators at any time", async () => {
    const { app, clients, test } = await setUp();
    const [hook, other] = [serveTarget(), serveTarget()];
    expect(await test(clients.bob, hook.url)).toEqual([200, null]);
    expect(await test(clients.bob, `${hook.origin}/another?path`)).toEqual([429, "1"]);
    expect(await test(clients.bob, other.url.replace("127.0.0.1", "localhost"))).toEqual([200, null]);
    expect(await test(clients.charlie, hook.url)).toEqual([200, null]);
    for (let sent = 0; sent < 3; sent++) expect(await test(clients.alice, hook.url)).toEqual([200, null]);
    await app.clock.advance(SECOND);
    expect(await test(clients.bob, hook.url)).toEqual([200, null]);
    expect(hook.requests).toHaveLength(6);
  });

  it("count with probes: a user makes 30 of both in a minute", async () => {
    const { app, clients, test } = await setUp();
    const hook = serveTarget();
    const probe = () => clients.bob.post("/api/monitors/probe", { url: hook.url });
    for (let count = 0; count < TRIALS_PER_MINUTE / 2; count++) {
      expect((await probe()).status).toBe(200);
      expect(await test(clients.bob, hook.url)).toEqual([200, null]);
      await app.clock.advance(SECOND);
    }
    expect(await test(clients.bob, hook.url)).toEqual([429, "45"]);
    expect((await probe()).status).toBe(429);
    await app.clock.advance(MINUTE);
    expect(await test(clients.bob, hook.url)).toEqual([200, null]);
  });

  it("of a user are two at once, and take places of the user's deliveries", async () => {
    const { app, bob, clients, test } = await setUp();
    const [held, elsewhere] = [serveHeld(), serveTarget()];
    const id = await addChannel(app, bob, webhookChannel(held.url));
    const first = clients.bob.post(`${CHANNELS}/${id}/test`);
    const second = test(clients.bob, held.url.replace("127.0.0.1", "localhost"));
    await until(() => held.requests.length === 2, "both requests");
    const places = [...app.deps.trials.sending()].toSorted((one, other) => one.channelId - other.channelId);
    expect(places).toEqual([
      { ...madeBy(bob), channelId: 0 },
      { ...madeBy(bob), channelId: id },
    ]);
    await app.clock.advance(SECOND);
    expect(await test(clients.bob, elsewhere.url)).toEqual([429, "1"]);
    expect(await test(clients.charlie, elsewhere.url)).toEqual([200, null]);
    held.release();
    expect([(await first).status, (await second)[0]]).toEqual([200, 200]);
    expect(app.deps.trials.sending()).toEqual([]);
  });
});

describe("a mail server without a login", () => {
  it("is used for administrators only", async () => {
    const { clients } = await setUp();
    const { mails, port } = await serveSmtp();
    for (const path of [CHANNELS, `${CHANNELS}/test`]) {
      const { status, body } = await clients.bob.post(path, mailChannel(port));
      expect([path, status, body.errors.map(({ path }) => path)]).toEqual([path, 422, ["user", "password"]]);
    }
    const { kinds } = (await clients.bob.get("/api/notifications")).body.data;
    const user = kinds.find(({ kind }) => kind === "smtp")?.fields.find(({ name }) => name === "user");
    expect(user).toMatchObject({ required: true });
    expect(user).not.toHaveProperty("requiredOfUsers");
    expect((await clients.alice.post(`${CHANNELS}/test`, mailChannel(port))).status).toBe(200);
    expect(mails).toHaveLength(1);
  });

  it("is not used with a login that the server does not ask for", async () => {
    const { clients } = await setUp();
    const { mails, port } = await serveSmtp();
    const { status, body } = await clients.bob.post(
      `${CHANNELS}/test`,
      mailChannel(port, { user: "x", password: "x" }),
    );
    expect([status, body.code]).toEqual([502, "provider_refused"]);
    expect(mails).toEqual([]);
  });

  it("of an administrator's export is switched off when a user imports it", async () => {
    const { app, alice, clients } = await setUp();
    await addChannel(app, alice, mailChannel(2525));
    const file = JSON.parse((await clients.alice.get("/api/export")).text);
    expect((await clients.bob.post("/api/import", file)).status).toBe(200);
    const [channel] = (await clients.bob.get("/api/notifications")).body.data.channels;
    expect([channel?.type, channel?.enabled]).toEqual(["smtp", false]);
  });
});

it("a sender and a recipient with an encoded word are refused", async () => {
  const { clients } = await setUp();
  const login = { user: "x", password: "x" };
  const codesOf = async (config: Record<string, string>) => {
    const { body } = await clients.alice.post(`${CHANNELS}/test`, mailChannel(1, { ...login, ...config }));
    return (body.errors ?? []).map(({ path }) => path);
  };
  for (const from of [
    "=?utf-8?q?=0D=0ABcc:x?= <a@b.cc>",
    "Shop =?utf-8?b?QmNj?= <a@b.cc>",
    "=?utf-8?q?x?=@b.cc",
    "A <=?utf-8?q?x?=@b.cc>",
  ])
    expect([from, await codesOf({ from })]).toEqual([from, ["from"]]);
  expect(await codesOf({ to: "a@b.cc, =?utf-8?q?x?=@b.cc" })).toEqual(["to"]);
  expect(await codesOf({ from: "名称 = ? <a@b.cc>" })).toEqual([]);
});
