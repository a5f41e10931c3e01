import { describe, expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkError } from "../../shared/check-error";
import { MINUTE } from "../../shared/limits";
import { OVERALL } from "../../shared/status-page";
import { addMonitor, recordOnly } from "../../testing/fixtures/monitors";
import { publish } from "../../testing/fixtures/status-page";
import { startTestServer } from "../../testing/servers/hub";

const GARBAGE = ["", "*", "fr-FR,fr;q=0.9", ";;,q=1,=", "\u00e9", "en;q=0", "x".repeat(5000)];

/** The page of bob, whose alerts are in `language`, on a hub of which Chinese is the default language unless `env` says otherwise. */
const setUp = async (language?: "en-US" | "zh-CN", env: Record<string, string> = {}) => {
  const server = await startTestServer(env);
  const { bob } = await server.people();
  await publish(server, bob, { title: "Bob's" });
  if (language) await server.as(bob).put("/api/auth/language", { language });
  const read = (path: string, accepted?: string) =>
    server.call(path, { headers: accepted === undefined ? {} : { "accept-language": accepted } });
  const langOf = async (path: string, accepted?: string) => {
    const { status, text } = await read(path, accepted);
    return status < 500 && /(?:<html|xml:)[^>"]*lang="([^"]*)"/.exec(text)?.[1];
  };
  return { server, bob, read, langOf };
};

describe("a status page whose visitor asks for no supported language", () => {
  it("is in the language of its owner's alerts", async () => {
    const { langOf } = await setUp("en-US");
    for (const accepted of [undefined, ...GARBAGE]) {
      expect([accepted, await langOf("/status/bob", accepted)]).toEqual([accepted, "en-US"]);
      expect([accepted, await langOf("/api/status/feed.xml?page=bob", accepted)]).toEqual([accepted, "en-US"]);
    }
    expect(await langOf("/status/bob", "fr, zh-TW;q=0.5")).toBe("zh-CN");
  });

  it("is in DEFAULT_LANGUAGE where its owner has none, or there is no page", async () => {
    expect(await (await setUp()).langOf("/status/bob")).toBe("zh-CN");
    const { langOf } = await setUp(undefined, { DEFAULT_LANGUAGE: "en-US" });
    for (const path of ["/status/bob", "/status", "/status/unknown", "/api/status/feed.xml?page=bob"])
      expect([path, await langOf(path)]).toEqual([path, "en-US"]);
  });
});

describe("lang in the address of a status page", () => {
  it("comes before what the browser and the owner prefer", async () => {
    const { langOf } = await setUp("zh-CN");
    for (const query of ["lang=en-US", "lang=en", "lang=xx&lang=en-US", "lang=EN-gb&lang=zh-CN", "a=1&lang=en_US"])
      expect([query, await langOf(`/status/bob?${query}`, "zh-CN")]).toEqual([query, "en-US"]);
    expect(await langOf("/api/status/feed.xml?page=bob&lang=en-US", "zh-CN")).toBe("en-US");
  });

  it("is ignored when it names no supported language", async () => {
    const { langOf } = await setUp("en-US");
    for (const query of ["lang=xx", "lang=", "lang", "lang=%00", "lang=%E0%A4%A", "lang=xx&lang=yy", "lang[]=zh"])
      expect([query, await langOf(`/status/bob?${query}`)]).toEqual([query, "en-US"]);
  });

  it("is refused by the feed when it names no supported language", async () => {
    const { read } = await setUp();
    for (const query of ["lang=xx", "lang=", "lang=xx&lang=yy"])
      expect([query, (await read(`/api/status/feed.xml?page=bob&${query}`)).status]).toEqual([query, 422]);
    expect((await read("/api/status/feed.xml?page=bob&lang=zh-CN&lang=en-US")).status).toBe(200);
  });

  it("is kept where another spelling of the address is redirected", async () => {
    const { read } = await setUp();
    expect((await read("/status/BOB/?lang=en-US")).headers.get("location")).toBe("/status/bob?lang=en-US");
  });
});

it("each language of a status page has an ETag of its own, and is revalidated in that language only", async () => {
  const { server, read } = await setUp("en-US");
  const english = await read("/status/bob");
  const chinese = await read("/status/bob", "zh-CN");
  expect(english.headers.get("vary")).toBe("accept-encoding, accept-language");
  expect(english.headers.get("etag")).not.toBe(chinese.headers.get("etag"));
  const statusOf = async (accepted: string) => {
    const headers = { "accept-language": accepted, "if-none-match": english.headers.get("etag") ?? "" };
    return (await server.call("/status/bob", { headers })).status;
  };
  expect([await statusOf("en"), await statusOf("zh-CN")]).toEqual([304, 200]);
});

it("a change of the owner's language shows at once", async () => {
  const { server, bob, langOf } = await setUp("en-US");
  expect(await langOf("/status/bob")).toBe("en-US");
  await server.as(bob).put("/api/auth/language", { language: "zh-CN" });
  expect(await langOf("/status/bob")).toBe("zh-CN");
});

describe("the head of a status page", () => {
  it("names the page's address and those in each language, absolute where the hub's address is known", async () => {
    const { read } = await setUp("en-US", { PUBLIC_URL: "https://127.0.0.1/up", BASE_PATH: "/up" });
    const links = (text: string) => text.match(/<link rel="(?:canonical|alternate)"[^>]*href="https[^>]*>/g);
    const address = "https://127.0.0.1/up/status/bob";
    const alternates = [
      `<link rel="alternate" hreflang="zh-CN" href="${address}?lang=zh-CN">`,
      `<link rel="alternate" hreflang="en-US" href="${address}?lang=en-US">`,
      `<link rel="alternate" hreflang="x-default" href="${address}">`,
    ];
    const plain = (await read("/up/status/bob?utm=1")).text;
    expect(links(plain)).toEqual([`<link rel="canonical" href="${address}">`, ...alternates]);
    expect(plain).toInclude(`<meta property="og:url" content="${address}">`);
    expect(plain).toInclude(`<meta property="og:site_name" content="Bob&#39;s">`);
    const asked = (await read("/up/status/bob?lang=zh", "en")).text;
    expect(links(asked)).toEqual([`<link rel="canonical" href="${address}?lang=zh-CN">`, ...alternates]);
    expect(asked).toInclude(`<meta property="og:url" content="${address}?lang=zh-CN">`);
  });

  it("has the logo as the picture of previews where programs can show it, otherwise one of the state", async () => {
    const { server, bob, read } = await setUp("en-US", { PUBLIC_URL: "https://127.0.0.1/up", BASE_PATH: "/up" });
    const pictureOf = async (logoUrl: string) => {
      await publish(server, bob, { logoUrl });
      return /<meta property="og:image" content="([^"]*)">/.exec((await read("/up/status/bob")).text)?.[1];
    };
    const picture = "https://127.0.0.1/up/status_unknown.png";
    expect(await pictureOf("")).toBe(picture);
    expect(await pictureOf("data:image/png;base64,AAAA")).toBe(picture);
    expect(await pictureOf("https://cdn.example/logo.SVG?x=1")).toBe(picture);
    expect(await pictureOf('https://cdn.example/a.png?x=1&y="><b>')).toBe(
      "https://cdn.example/a.png?x=1&#38;y=%22%3E%3Cb%3E",
    );
  });

  it("has another picture in each state, which is small and of the size that chats show", async () => {
    const { server, bob, read } = await setUp("en-US", { PUBLIC_URL: "https://127.0.0.1" });
    const url = "https://shop.example/";
    const [one, other] = [await addMonitor(server, bob, { url }), await addMonitor(server, bob, { url })];
    const found = [];
    const [well, slow, down] = [
      { up: true },
      { up: true, slow: true },
      { up: false, error: checkError("timeout", { seconds: 20 }) },
    ];
    for (const states of [
      [well, well],
      [slow, well],
      [down, well],
      [down, down],
    ]) {
      // A monitor is slow when most of its last five answers are.
      for (let time = 0; time < 3; time++) {
        server.clock.set(server.clock.now() + MINUTE);
        for (const [index, id] of [one, other].entries())
          await recordOnly(server, id, [{ at: server.clock.now(), ...states[index] }]);
      }
      await publish(server, bob, { monitors: [one, other] });
      found.push(/"og:image" content="https:\/\/127\.0\.0\.1\/([^"]*)"/.exec((await read("/status/bob")).text)?.[1]);
    }
    for (const id of [one, other]) await recordOnly(server, id, [{ at: server.clock.now() }]);
    await server.as(bob).post("/api/windows/start", { minutes: 60, monitors: [one, other] });
    server.clock.set(server.clock.now() + MINUTE);
    found.push(/"og:image" content="https:\/\/127\.0\.0\.1\/([^"]*)"/.exec((await read("/status/bob")).text)?.[1]);
    const states = [...OVERALL, "unknown"].map((state) => `status_${state}.png`);
    expect([...found, "status_unknown.png"]).toEqual(states);
    for (const name of states) {
      const bytes = readFileSync(join(import.meta.dir, "../../../web/assets", name));
      expect([name, bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([name, 1200, 630]);
      expect(bytes.length).toBeLessThan(15 * 1024);
    }
  });

  it("has no addresses for search engines and previews where the hub's address is not known", async () => {
    const { read } = await setUp();
    const { text } = await read("/status/bob");
    expect(text).not.toMatch(/og:(url|image)|canonical|hreflang/);
  });
});

it("the console and the API reference start in DEFAULT_LANGUAGE where the browser asks for no supported one", async () => {
  const { call } = await startTestServer({ DEFAULT_LANGUAGE: "en-US" });
  for (const path of ["/", "/api/docs"])
    expect([path, (await call(path)).text]).toEqual([path, expect.stringContaining('"defaultLanguage":"en-US"')]);
});
