import { expect, it } from "bun:test";
import { isoTime } from "../../lib/time";
import { HOUR, MINUTE } from "../../shared/limits";
import { createTestApp } from "../../testing/app";
import { START } from "../../testing/clock";
import { addMonitor, recordOnly } from "../../testing/fixtures/monitors";
import { publish } from "../../testing/fixtures/status-page";

type Element = { name: string; attributes: Record<string, string>; text: string; children: Element[] };

const decodeText = (text: string): string => {
  if (/&(?!#\d+;)/.test(text)) throw new Error(`an ampersand is not escaped: ${text}`);
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
};

/** Parses XML strictly: it throws for anything that is not well-formed or that XML 1.0 does not allow. */
const parseXml = (xml: string): Element => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML does not allow
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(xml) || !xml.isWellFormed())
    throw new Error("a character is not allowed in XML");
  const [declaration = ""] = /^<\?xml version="1\.0" encoding="utf-8"\?>\n/.exec(xml) ?? [];
  if (declaration === "") throw new Error("the declaration is missing");
  const root: Element = { name: "", attributes: {}, text: "", children: [] };
  const open = [root];
  const token = /<(\/?)([a-z]+)((?: [\w:]+="[^"<]*")*)(\/?)>|([^<]+)/y;
  token.lastIndex = declaration.length;
  while (token.lastIndex < xml.length) {
    const place = token.lastIndex;
    const found = token.exec(xml);
    if (!found) throw new Error(`not well-formed: ${xml.slice(place, place + 80)}`);
    const [, closing, name = "", attributes = "", empty, text] = found;
    const top = open.at(-1) as Element;
    if (text !== undefined) top.text += decodeText(text);
    else if (closing) {
      if (open.pop()?.name !== name) throw new Error(`${name} is closed, but not open`);
    } else {
      const pairs = [...attributes.matchAll(/ ([\w:]+)="([^"]*)"/g)].map(([, key, value]) => [
        key,
        decodeText(value ?? ""),
      ]);
      const element: Element = { name, attributes: Object.fromEntries(pairs), text: "", children: [] };
      top.children.push(element);
      if (!empty) open.push(element);
    }
  }
  if (open.length !== 1) throw new Error("an element is not closed");
  return root.children[0] as Element;
};

const textOf = (element: Element | undefined, name: string): string =>
  element?.children.find((child) => child.name === name)?.text ?? "";
const entriesOf = (feed: Element) => feed.children.filter(({ name }) => name === "entry");

const HOSTILE = `</title><script>alert(1)</script> & "quoted" 'too' ]]> \u0007\u000b 监控 😀`;

const setUp = async (env: Record<string, string> = {}) => {
  const app = await createTestApp({ env });
  const { alice } = await app.people();
  const add = (name: string) => addMonitor(app, alice, { url: "https://shop.example/", name });
  const get = (query = "?lang=en-US", headers = {}) =>
    app.anybody.get(`/api/status/feed.xml${query}`, undefined, headers);
  const read = async (query?: string) => {
    app.clock.set(app.deps.clock.now() + MINUTE);
    return parseXml((await get(query)).text);
  };
  return { app, alice, add, get, read };
};

it("an entry tells a short outage to the second, with seconds in times of one minute, as alerts do", async () => {
  const { app, alice, add, get } = await setUp();
  const at = START - HOUR;
  const cases = [
    [5_000, 14_000, "From Jan 15, 2026, 11:20:05 UTC to Jan 15, 2026, 11:20:19 UTC, for 14 seconds."],
    [55_000, 14_000, "From Jan 15, 2026, 11:20 UTC to Jan 15, 2026, 11:21 UTC, for 14 seconds."],
    [0, 90_000, "From Jan 15, 2026, 11:20 UTC to Jan 15, 2026, 11:21 UTC, for 1 minute 30 seconds."],
  ] as const;
  const ids: number[] = [];
  for (const [from, length] of cases) {
    const id = await add(`shop-${ids.length}`);
    await recordOnly(app, id, [{ at: at + from, up: false }, { at: at + from + length }]);
    ids.push(id);
  }
  await publish(app, alice, { monitors: ids });
  const texts = entriesOf(parseXml((await get()).text)).map((entry) => textOf(entry, "content"));
  expect(texts.toSorted()).toEqual(cases.map(([, , text]) => text as string).toSorted());
  const chinese = (await get("?lang=zh-CN")).text;
  expect(chinese).toInclude("2026年1月15日 11:20:05 UTC 至 2026年1月15日 11:20:19 UTC，共 14 秒。");
});

it("the feed is a valid Atom feed with an entry for each outage, in the requested language", async () => {
  const { app, alice, add, get, read } = await setUp({ PUBLIC_URL: "https://watch.example/base" });
  const shop = await add("Shop");
  await recordOnly(app, shop, [{ at: START - HOUR, up: false }, { at: START - 20 * MINUTE }]);
  await publish(app, alice, { title: "Acme", monitors: [shop] });
  const feed = await read();
  expect([feed.name, feed.attributes]).toEqual(["feed", { xmlns: "http://www.w3.org/2005/Atom", "xml:lang": "en-US" }]);
  expect([textOf(feed, "title"), textOf(feed, "updated")]).toEqual(["Acme", isoTime(START)]);
  expect(textOf(feed, "id")).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  const links = feed.children.filter(({ name }) => name === "link").map(({ attributes }) => attributes);
  expect(links).toEqual([
    {
      rel: "self",
      type: "application/atom+xml",
      href: "https://watch.example/base/status/alice/feed.xml?lang=en-US",
    },
    { rel: "alternate", type: "text/html", href: "https://watch.example/base/status/alice" },
  ]);
  const [entry] = entriesOf(feed);
  expect([textOf(entry, "title"), textOf(entry, "content")]).toEqual([
    "Shop was down",
    "From Jan 15, 2026, 11:20 UTC to Jan 15, 2026, 12:00 UTC, for 40 minutes.",
  ]);
  expect([textOf(entry, "published"), textOf(entry, "updated")]).toEqual([
    isoTime(START - HOUR),
    isoTime(START - 20 * MINUTE),
  ]);
  const chinese = parseXml((await get("", { "accept-language": "zh-CN,zh;q=0.9" })).text);
  expect([chinese.attributes["xml:lang"], textOf(entriesOf(chinese)[0], "title")]).toEqual(["zh-CN", "Shop 已恢复"]);
  const { headers } = await get();
  expect(headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
  expect((await get(undefined, { "if-none-match": headers.get("etag") ?? "" })).status).toBe(304);
  expect((await get("?lang=fr")).status).toBe(422);
});

it("an entry keeps its id and gets a new date and title when its outage ends", async () => {
  const { app, alice, add, read } = await setUp();
  const shop = await add("Shop");
  await publish(app, alice, { monitors: [shop] });
  await recordOnly(app, shop, [{ at: START, up: false }]);
  const [before] = entriesOf(await read());
  await recordOnly(app, shop, [{ at: START + 5 * MINUTE }]);
  const [after] = entriesOf(await read());
  expect(textOf(after, "id")).toBe(textOf(before, "id"));
  expect([textOf(before, "title"), textOf(after, "title")]).toEqual(["Shop is down", "Shop was down"]);
  expect([textOf(before, "updated"), textOf(after, "updated")]).toEqual([isoTime(START), isoTime(START + 5 * MINUTE)]);
});

it("hostile names and titles stay text, and links are relative while no address is known", async () => {
  const { app, alice, add, get } = await setUp();
  const shop = await add(HOSTILE);
  await recordOnly(app, shop, [{ at: START - HOUR, up: false }]);
  await publish(app, alice, { title: HOSTILE, monitors: [shop] });
  const { text } = await get();
  const feed = parseXml(text);
  expect(text).not.toContain("<script");
  expect(textOf(feed, "title")).toContain(`</title><script>alert(1)</script> & "quoted" 'too' ]]>`);
  expect(textOf(entriesOf(feed)[0], "title")).toContain("<script>alert(1)</script>");
  expect(feed.children.filter(({ name }) => name === "link").map(({ attributes }) => attributes.href)).toEqual([
    "../../status/alice/feed.xml?lang=en-US",
    "../../status/alice",
  ]);
});

it("a feed has at most 50 entries with different ids, and an unknown or unsaved page has none", async () => {
  const { app, alice, add, get, read } = await setUp();
  for (const query of ["", "?page=alice", "?page=unknown", "?page=%E0%A4%A"])
    expect([query, (await get(query)).status]).toEqual([query, 404]);
  const ids = await Promise.all(Array.from({ length: 60 }, (_, index) => add(`m${index}`)));
  for (const id of ids) await recordOnly(app, id, [{ at: START - HOUR, up: false }]);
  await publish(app, alice, { monitors: ids });
  const entries = entriesOf(await read());
  expect(new Set(entries.map((entry) => textOf(entry, "id"))).size).toBe(50);
});

it("planned maintenance has one entry, which keeps its id from its plan to its end", async () => {
  const { app, alice, add, get, read } = await setUp({ PUBLIC_URL: "https://watch.example" });
  const [shop, hidden] = [await add("Shop <1>"), await add("Hidden")];
  await publish(app, alice, { monitors: [shop] });
  const client = app.as(alice);
  const bodyOf = (title: string, minutes: number, monitors = [shop]) => {
    const schedule = { kind: "once", from: isoTime(START + HOUR), to: isoTime(START + HOUR + minutes * MINUTE) };
    return { title, monitors, schedule } as const;
  };
  const { id } = (await client.post("/api/windows", bodyOf("Upgrade & more", 60))).body.window;
  await client.post("/api/windows", bodyOf("Secret", 60, [hidden]));
  // As in mails, what recurs or begins at once has no entry.
  const weekly = { kind: "weekly", days: [4], at: "13:00", minutes: 60, zone: "UTC" } as const;
  await client.post("/api/windows", { title: "Weekly", monitors: [shop], schedule: weekly });
  await client.post("/api/windows/start", { minutes: 5, all: true });
  const shown = async (query?: string) =>
    entriesOf(await read(query)).map((entry) =>
      ["id", "title", "content", "published", "updated"].map((name) => textOf(entry, name)),
    );
  const [[key = ""] = []] = await shown();
  const span = "From Jan 15, 2026, 13:20 UTC to Jan 15, 2026, 14:20 UTC, for 1 hour.";
  const text = `${span} Affects: Shop <1>`;
  const [start, begun] = [isoTime(START), isoTime(START + HOUR)];
  expect(await shown()).toEqual([[key, "Scheduled maintenance: Upgrade & more", text, start, start]]);
  await app.clock.set(START + HOUR);
  expect(await shown()).toEqual([[key, "Maintenance started: Upgrade & more", text, start, begun]]);
  await app.clock.set(START + HOUR + 20 * MINUTE);
  await client.put(`/api/windows/${id}`, bodyOf("Upgrade", 90));
  const longer = text.replace("14:20 UTC, for 1 hour", "14:50 UTC, for 1 hour 30 minutes");
  const changed = isoTime(START + HOUR + 20 * MINUTE);
  expect(await shown()).toEqual([[key, "Maintenance started: Upgrade", longer, start, changed]]);
  await app.clock.set(START + 2 * HOUR + 30 * MINUTE);
  const ended = isoTime(START + 2 * HOUR + 30 * MINUTE);
  expect(await shown()).toEqual([[key, "Maintenance completed: Upgrade", longer, start, ended]]);
  const [[, title = "", content = ""] = []] = await shown("?lang=zh-CN");
  expect([title, content]).toEqual([
    "维护已完成：Upgrade",
    "2026年1月15日 13:20 UTC 至 2026年1月15日 14:50 UTC，共 1 小时 30 分钟。影响范围：Shop <1>",
  ]);
  const rss = (await app.anybody.get("/api/status/feed.rss?lang=en-US")).text;
  expect(rss).toInclude("<title>Maintenance completed: Upgrade</title>");
  expect((await get()).text).not.toMatch(/Secret|Weekly/);
  await app.clock.set(START + 17 * 24 * HOUR);
  expect(await shown()).toEqual([]);
});
