import { describe, expect, it } from "bun:test";
import { LANGUAGES } from "../../../shared/language";
import { EVENT_KINDS } from "../../../shared/notifications";
import { renderLines, renderTemplate } from "../../../shared/template/template";
import { START } from "../../../testing/clock";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  PUBLIC_URL,
  recordDown,
  recover,
  runDeliveries,
  telegramChannel,
} from "../../../testing/fixtures/alerts";
import { createWebhookApp, SIGNING_SECRET } from "../../../testing/fixtures/webhooks";
import { serveTarget } from "../../../testing/servers/targets";
import { serveWebhook } from "../../../testing/servers/webhook";
import { messageOf } from "../messages/message";
import { builtInTemplate, exampleOf } from "./built-in";
import { valuesOf } from "./values";

const PATH = "/api/notifications/templates";

const setUp = async () => {
  const made = await createAlertApp();
  const client = made.app.as(made.bob);
  await client.put("/api/auth/language", { language: "en-US" });
  return {
    ...made,
    client,
    own: async () => (await client.get("/api/notifications")).body.data.own_templates,
    texts: () => made.telegram.messages.map(({ text }) => text),
  };
};

describe("a template", () => {
  it("that two people change refuses the second one, with the texts of the first", async () => {
    const { app, client, own } = await setUp();
    const { id } = (await client.post(PATH, { event: "down", title: "{{name}}", body: "" })).body.data;
    const version = (await own())[0]?.updated_at;
    await app.clock.advance(1000);
    const save = (title: string, of = version) => client.put(`${PATH}/${id}`, { title, body: "", version: of });
    expect((await save("first")).status).toBe(200);
    const second = await save("second");
    expect([second.status, second.body.code]).toEqual([409, "rule_changed"]);
    const [stored] = await own();
    expect(second.body.current).toEqual({ ...stored, version: stored?.updated_at });
    expect(stored?.title).toBe("first");
    expect((await save("second", stored?.updated_at)).status).toBe(200);
    expect((await client.put(`${PATH}/${id}`, { title: "third", body: "" })).status).toBe(200);
  });

  it("is created, listed, updated and deleted by its owner alone", async () => {
    const { app, client, charlie, own } = await setUp();
    const { status, body } = await client.post(PATH, { event: "down", title: "{{name}}", body: "{{error}}" });
    expect(status).toBe(201);
    const { id } = body.data;
    expect(await own()).toMatchObject([{ id, channel_id: null, event: "down", title: "{{name}}", body: "{{error}}" }]);
    expect((await app.as(charlie).put(`${PATH}/${id}`, { title: "x", body: "" })).status).toBe(404);
    expect((await app.as(charlie).delete(`${PATH}/${id}`)).status).toBe(404);
    expect((await client.put(`${PATH}/${id}`, { title: "{{status}}", body: "" })).status).toBe(200);
    expect(await own()).toMatchObject([{ title: "{{status}}", body: "" }]);
    expect((await client.delete(`${PATH}/${id}`)).status).toBe(200);
    expect(await own()).toEqual([]);
  });

  it("is refused with the field, the code and the place", async () => {
    const { client } = await setUp();
    const { status, body } = await client.post(PATH, { title: "{{nmae}}", body: "ok\n{{name" });
    expect([status, body.code]).toEqual([422, "validation"]);
    expect(body.errors).toEqual([
      {
        path: "title",
        message: "title: line 1, column 3: there is no variable nmae",
        code: "unknown_variable",
        line: 1,
        column: 3,
      },
      {
        path: "body",
        message: "body: line 2, column 1: the placeholder {{name is not closed by }} in its line",
        code: "unclosed",
        line: 2,
        column: 1,
      },
    ] as never);
    const large = { title: "x", body: "{".repeat(100_000) };
    for (const path of [PATH, `${PATH}/preview`]) {
      const answer = await client.post(path, large);
      expect([answer.status, answer.body.errors.map((error) => error.path)]).toEqual([422, ["body"]]);
    }
    expect((await client.post(PATH, { title: " ", body: "" })).body.errors).toMatchObject([{ code: "title_required" }]);
  });

  it("is the only one for its channel and event, and one of at most 100", async () => {
    const { app, bob, charlie, client } = await setUp();
    const texts = { title: "x", body: "" };
    const created = await Promise.all([1, 2, 3].map(() => client.post(PATH, texts)));
    expect(created.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect(created.find(({ status }) => status === 409)?.body.code).toBe("template_exists");
    const channels = [];
    for (let number = 0; number < 10; number++) channels.push(await addChannel(app, bob));
    for (const channel_id of channels)
      for (const event of EVENT_KINDS) await client.post(PATH, { channel_id, event, ...texts });
    expect((await client.post(PATH, { event: "down", ...texts })).body.code).toBe("too_many_templates");
    const theirs = await app.as(charlie).post(PATH, { channel_id: channels[0], ...texts });
    expect(theirs.status).toBe(404);
    expect((await app.as(charlie).post(PATH, { channel_id: 0, ...texts })).status).toBe(404);
  });

  it("is deleted with its channel", async () => {
    const { app, bob, client, own } = await setUp();
    const channel = await addChannel(app, bob);
    await client.post(PATH, { channel_id: channel, title: "x", body: "" });
    await client.delete(`/api/notifications/channels/${channel}`);
    expect(await own()).toEqual([]);
  });

  it("is previewed with an example event, and nothing is stored", async () => {
    const { client, own } = await setUp();
    const { body } = await client.post(`${PATH}/preview`, {
      event: "disk_high",
      title: "{{name | upper}}",
      body: "{{mount}} {{figure}}\nReason: {{error}}",
    });
    expect(body as unknown).toMatchObject({
      title: "WEB-1",
      lines: ["/var 93.2%", expect.stringContaining("/acknowledge"), expect.stringContaining("/agents/1")],
      values: { severity: "warning" },
    });
    expect(await own()).toEqual([]);
  });

  it("is previewed in the language of alerts, or the one that is asked for", async () => {
    const { client } = await setUp();
    const texts = { event: "down", title: "{{title}}", body: "" };
    const preview = async (more: object = {}) => (await client.post(`${PATH}/preview`, { ...texts, ...more })).body;
    const [own, english, chinese] = [
      await preview(),
      await preview({ language: "en-US" }),
      await preview({ language: "zh-CN" }),
    ];
    expect(english).toMatchObject({ title: "🔴 Shop is down" });
    expect(chinese).toMatchObject({ title: "🔴 Shop 无法访问" });
    expect([english, chinese]).toContainEqual(own);
  });
});

describe("a message", () => {
  it("is by the template of its channel and event, then of the channel, then of the event, then of all", async () => {
    const { app, bob, client, delivery, texts } = await setUp();
    const channel = await addChannel(app, bob);
    const monitor = await addWatchedMonitor(app, bob, [channel]);
    const add = (title: string, place: object) => client.post(PATH, { title: `${title} {{name}}`, body: "", ...place });
    const send = async () => {
      await app.clock.advance(60_000);
      await recordDown(app, monitor);
      await runDeliveries(app, delivery);
      await app.clock.advance(60_000);
      await recover(app, monitor);
      await runDeliveries(app, delivery);
      return texts().splice(-2);
    };
    await add("all", {});
    expect((await send()).map((text) => text.split(" ")[0])).toEqual(["all", "all"]);
    await add("event", { event: "down" });
    await add("channel", { channel_id: channel });
    expect((await send()).map((text) => text.split(" ")[0])).toEqual(["channel", "channel"]);
  });

  it("shows names with markup as they are, and reads none of them as a template", async () => {
    const { app, bob, client, delivery, texts } = await setUp();
    const name = "*a* <b> [x](y) {{status}}\u202e";
    const channel = await addChannel(app, bob, telegramChannel());
    await client.post(PATH, { title: "<i>{{name}}</i>", body: "{{error}}\n{{link}}\n{{mount}}" });
    await recordDown(app, await addWatchedMonitor(app, bob, [channel], name));
    await runDeliveries(app, delivery);
    const [text = ""] = texts();
    const lines = text.split("\n");
    expect(lines.slice(0, 2)).toEqual(["<i>*a* <b> [x](y) {{status}}</i>", "status 503, expected 200"]);
    // The link is where the template has it, and not added again.
    expect(lines.filter((line) => line.includes("/monitors/")).length).toBe(1);
  });

  it("keeps its link where its text has a longer one", async () => {
    const { app, bob, client, delivery, texts } = await setUp();
    const channel = await addChannel(app, bob, telegramChannel());
    const monitor = await addWatchedMonitor(app, bob, [channel]);
    const link = `${PUBLIC_URL}/monitors/${monitor}`;
    await client.post(PATH, { title: "{{name}}", body: `See ${link}2` });
    await recordDown(app, monitor);
    await runDeliveries(app, delivery);
    expect(texts()[0]?.split("\n")).toContain(link);
  });

  it("of every kind of event is what its built-in template gives", () => {
    for (const language of LANGUAGES)
      for (const kind of EVENT_KINDS) {
        const subject = exampleOf(kind, START);
        const reader = { language, timeZone: "Asia/Shanghai" };
        const message = messageOf(subject, reader, "https://watch.example");
        const values = valuesOf(subject, message, reader);
        const { title, body } = builtInTemplate(kind, language);
        expect(renderTemplate(title, values, "UTC")).toBe(message.title);
        expect(renderLines(body, values, "UTC")).toEqual(message.lines);
      }
  });
});

describe("a webhook with a body of its own", () => {
  const body =
    '{"text": {{title | json}}, "at": {{time | json}}, "note": "{{name | json_text}} is {{event | json_text}}"}';

  it("gets it signed as it is sent, and a test gets an example", async () => {
    const hook = serveWebhook({ secret: SIGNING_SECRET, now: () => START / 1000 });
    const { alert, test } = await createWebhookApp();
    const config = { secret: SIGNING_SECRET, body };
    await alert(hook.url, config);
    await test(hook.url, config);
    expect(hook.accepted as unknown[]).toEqual([
      { text: "🔴 shop is down", at: "2026-01-15T12:20:00.000Z", note: "shop is down" },
      { text: "✅ Wakeful test message", at: "2026-01-15T12:20:00.000Z", note: "Shop is test" },
    ]);
  });

  it("is a form or plain text, or a GET without a body", async () => {
    const hook = serveTarget();
    const { alert } = await createWebhookApp();
    await alert(hook.url, { format: "form", body: "text={{title | url}}&id={{id | url}}" });
    await alert(hook.url, { method: "PUT", format: "text", body: "{{title}}" });
    await alert(hook.url, { method: "GET" });
    const [form, text, get] = hook.requests.slice(-3);
    expect([form?.body, text?.body, get?.body]).toEqual([
      expect.stringContaining("text=%F0%9F%94%B4"),
      "🔴 shop is down",
      "",
    ]);
  });

  it("is refused where the JSON breaks or a value is not encoded", async () => {
    const { test } = await createWebhookApp();
    const answer = await test("https://hook.example/", { body: '{\n  "text": {{title}}\n}' });
    expect([answer.status, answer.body.errors]).toMatchObject([
      422,
      [{ path: "body", code: "body_invalid", message: expect.stringContaining("line 2, column 11") }],
    ]);
    expect((await test("https://hook.example/", { body: "{{".repeat(9000) })).body.errors).toMatchObject([
      { path: "body", code: "too_long" },
    ]);
  });
});
