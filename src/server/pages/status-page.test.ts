import { describe, expect, it } from "bun:test";
import { noAnswer } from "../../db/errors";
import { publishedPage } from "../../modules/status-page/publish";
import { enrollAgent } from "../../testing/fixtures/agents";
import { publish, readStatusConfig, readStatusData } from "../../testing/fixtures/status-page";
import { startTestServer } from "../../testing/servers/hub";

const setUp = async () => {
  const state = { failure: null as Error | null };
  const hub = await startTestServer(
    {},
    {
      published: async (pass) => {
        if (state.failure) throw state.failure;
        return publishedPage(hub.deps, pass);
      },
    },
  );
  const { alice } = await hub.people();
  await hub.as(alice).post("/api/status/config", { title: "Our services" });
  const open = (language: string) => hub.call("/status", { headers: { "accept-language": language } });
  return { ...hub, state, open };
};

describe("the status page while the database is unavailable", () => {
  it("is the last document with its time, in the language of the viewer", async () => {
    const { open, state, clock, logged } = await setUp();
    expect((await open("en")).text).not.toInclude("can't be loaded");
    await clock.advance(60_000);
    state.failure = noAnswer();
    const english = await open("en");
    expect([english.status, english.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(english.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(english.text).toInclude("This page shows the state of 2026-01-15 12:20 UTC.");
    expect(english.text).toInclude("Our services");
    expect((await open("zh")).text).toInclude("本页显示的是 2026-01-15 12:20 UTC 的状态。");
    const line = logged.find((text) => text.includes("a status page can't be read"));
    expect(line).toMatch(/GET.*\/status/);
    state.failure = null;
    expect((await open("en")).text).not.toInclude("can't be loaded");
  });

  it("is an HTML page with 503 and Retry-After if there is no last document", async () => {
    const { open, state } = await setUp();
    state.failure = noAnswer();
    for (const [language, title] of [
      ["en", "temporarily unavailable"],
      ["zh", "状态页暂时无法访问"],
    ] as const) {
      const { status, headers, text } = await open(language);
      expect([status, headers.get("content-type")]).toEqual([503, "text/html; charset=utf-8"]);
      expect(headers.get("retry-after")).toBe("30");
      expect(text).toInclude(title);
      expect(text).not.toInclude("<script");
    }
  });

  it("is an internal error, logged with its method and path, after any other failure", async () => {
    const { open, state, logged } = await setUp();
    state.failure = new Error("a fault");
    const { status, body } = await open("en");
    expect([status, body.code]).toEqual([500, "internal"]);
    expect(logged.find((text) => text.includes("a fault"))).toMatch(/GET.*\/status/);
  });
});

it("a page is light and shows all facts of servers until its owner says otherwise, and its document has its theme", async () => {
  const app = await startTestServer();
  const { bob } = await app.people();
  const { id } = await enrollAgent(app, bob);
  const defaults = { theme: "light", show_hostname: true, show_os: true, show_version: true };
  expect(await readStatusConfig(app, bob)).toMatchObject(defaults);
  await publish(app, bob, { agents: [id] });
  expect(await readStatusConfig(app, bob)).toMatchObject(defaults);
  const document = async () => {
    const { text } = await app.call("/status/bob");
    const [, theme] = /data-theme="(\w+)"/.exec(text) ?? [];
    const [, scheme] = /<meta name="color-scheme" content="([^"]*)"/.exec(text) ?? [];
    return [theme, scheme, text.includes('<script src="./theme.js">'), (await readStatusData(app, "bob")).theme];
  };
  expect(await document()).toEqual(["light", "light", false, "light"]);
  await publish(app, bob, { theme: "dark" });
  expect(await document()).toEqual(["dark", "dark", false, "dark"]);
  await publish(app, bob, { theme: "auto" });
  expect(await document()).toEqual(["light", "light dark", true, "auto"]);
  const { status, body } = await app.as(bob).post("/api/status/config", { theme: "blue" });
  expect([status, body.errors[0]?.path]).toEqual([422, "theme"]);
});
