import { expect, it } from "bun:test";
import { AppError } from "../../core/errors";
import { monitorStates } from "../../db/schema";
import { createTestApp } from "../../testing/app";
import { START } from "../../testing/clock";
import { addMonitor } from "../../testing/fixtures/monitors";
import { publish } from "../../testing/fixtures/status-page";
import { admit } from "./access/gate";
import { cachePage, invalidatePages } from "./cache";
import { publishedPage } from "./publish";

const MEGABYTE = 2 ** 20;

/** Spellings of a name that are equal in lower case and in Unicode's compatibility form (NFKC). */
const spellings = (name: string, count: number): string[] => {
  const forms = [
    (letter: string) => letter,
    (letter: string) => letter.toUpperCase(),
    (letter: string) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - 97 + 0xff41),
    (letter: string) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - 97 + 0x1d41a),
    (letter: string) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - 97 + 0x24d0),
  ];
  return Array.from({ length: count }, (_, index) =>
    [...name]
      .map((letter, place) => forms[Math.floor(index / forms.length ** place) % forms.length]?.(letter))
      .join(""),
  );
};

it("every spelling of a page's address shares one answer", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  await publish(app, bob, { monitors: [await addMonitor(app, bob, { url: "https://shop.example/" })] });
  const all = spellings("bob", 125);
  expect(new Set(all).size).toBe(125);
  const read = async (slug: string) => {
    const pass = await admit(app.deps, slug, {});
    return pass && publishedPage(app.deps, pass);
  };
  const pages = await Promise.all(all.map(read));
  expect(pages[0]).not.toBeNull();
  expect(new Set(pages).size).toBe(1);
  for (const slug of all.slice(0, 20)) {
    const { status } = await app.anybody.get(`/api/status/data?page=${encodeURIComponent(slug)}`);
    expect([slug, status]).toEqual([slug, 200]);
  }
});

it("concurrent requests for one page share its build, and each change invalidates it", async () => {
  const { deps } = await createTestApp();
  let builds = 0;
  const read = () =>
    cachePage(
      deps,
      "alice",
      async () => {
        await Bun.sleep(0);
        return { build: ++builds };
      },
      () => 1,
    );
  expect(await Promise.all([read(), read()])).toEqual([{ build: 1 }, { build: 1 }]);
  expect(await read()).toEqual({ build: 1 });
  invalidatePages(deps.db);
  const stale = read();
  invalidatePages(deps.db);
  expect([await stale, await read()]).toEqual([{ build: 2 }, { build: 3 }]);
  expect(await read()).toEqual({ build: 3 });
});

it("a missing page is not cached", async () => {
  const { deps } = await createTestApp();
  let builds = 0;
  const read = () =>
    cachePage(
      deps,
      "unknown",
      async () => {
        builds++;
        return null;
      },
      () => 1,
    );
  expect([await read(), await read(), builds]).toEqual([null, null, 2]);
});

it("all cached pages take at most 16 MB, and the oldest is evicted first", async () => {
  const { deps } = await createTestApp();
  const built: string[] = [];
  const read = (key: string) =>
    cachePage(
      deps,
      key,
      async () => {
        built.push(key);
        return key;
      },
      () => MEGABYTE,
    );
  for (let index = 0; index < 20; index++) await read(`page ${index}`);
  await read("page 19");
  await read("page 4");
  expect(built).toHaveLength(20);
  await read("page 3");
  expect(built.slice(20)).toEqual(["page 3"]);
});

it("two pages are built at a time, up to 100 others wait, and further ones are refused with 503", async () => {
  const { deps, clock } = await createTestApp();
  expect(clock.now()).toBe(START);
  const gate = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const read = (key: string) =>
    cachePage(
      deps,
      key,
      async () => {
        most = Math.max(most, ++running);
        await gate.promise;
        running--;
        return key;
      },
      () => 1,
    );
  const all = Array.from({ length: 110 }, (_, index) => read(`page ${index}`));
  const settled = Promise.allSettled(all);
  gate.resolve();
  const results = await settled;
  expect(most).toBe(2);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(102);
  const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason as AppError] : []));
  expect(refused.map(({ status, code }) => `${status} ${code}`)).toEqual(Array(8).fill("503 unavailable"));
  expect(refused[0]).toBeInstanceOf(AppError);
  expect(await read("page 109")).toBe("page 109");
});

it("a badge is kept for five seconds or until a change, in one entry for each of its forms", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const id = await addMonitor(app, bob, { url: "https://shop.example/" });
  await publish(app, bob, { monitors: [id] });
  const read = async (file: string | number) => (await app.anybody.get(`/badge/${file}`)).text;
  const before = await read(`${id}.svg`);
  // As the engine writes, without a call that invalidates.
  const recordState = (status: "up" | "down") => app.db.update(monitorStates).set({ status });
  await recordState("down");
  for (const form of [`${id}.svg`, `00${id}.svg`, `${id}.svg?type=status`, `${id}.svg?type=status&days=7`])
    expect([form, await read(form)]).toEqual([form, before]);
  await app.clock.advance(5000);
  const after = await read(`${id}.svg`);
  expect(after).toInclude("shop: down");
  await recordState("up");
  invalidatePages(app.db);
  expect(await read(`${id}.svg`)).toInclude("shop: up");
  // A missing badge is kept as well, until the page that shows it is saved.
  const other = await addMonitor(app, bob, { url: "https://other.example/" });
  expect((await app.anybody.get(`/badge/${other}.svg`)).status).toBe(404);
  await publish(app, bob, { monitors: [id, other] });
  expect((await app.anybody.get(`/badge/${other}.svg`)).status).toBe(200);
});

it("the data of a page, and of none, may be read by pages on other origins, and nothing else may", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  await publish(app, bob, { monitors: [await addMonitor(app, bob, { url: "https://shop.example/" })] });
  const originOf = async (path: string) =>
    (await app.anybody.get(path, undefined, { origin: "https://evil.example" })).headers.get(
      "access-control-allow-origin",
    );
  for (const path of ["/api/status/data?page=bob", "/api/status/data?page=nobody"])
    expect([path, await originOf(path)]).toEqual([path, "*"]);
  for (const path of [
    "/api/status/style.css?page=bob",
    "/api/status/feed.xml?page=bob",
    "/api/status/config",
    "/health",
  ])
    expect([path, await originOf(path)]).toEqual([path, null]);
});
