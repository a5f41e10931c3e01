import { describe, expect, it } from "bun:test";
import { noAnswer } from "../db/errors";
import { publishedPage } from "../modules/status-page/publish";
import { startTestServer } from "../testing/servers/hub";

const setUp = async () => {
  const state = { failure: null as Error | null };
  const hub = await startTestServer({}, async (...page) => {
    if (state.failure) throw state.failure;
    return publishedPage(...page);
  });
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
