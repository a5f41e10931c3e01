import "../../testing/test-dom";

import { afterEach, beforeEach, expect, test } from "bun:test";
import { createKeepingFetch, purgeAnswers } from "./answers";

/** A cache of the browser, which happy-dom does not have. */
const fakeCaches = () => {
  const stores = new Map<string, Map<string, Response>>();
  const open = async (name: string) => {
    const entries = stores.get(name) ?? new Map<string, Response>();
    stores.set(name, entries);
    return {
      match: async (url: string) => entries.get(url)?.clone(),
      put: async (url: string, answer: Response) => {
        entries.delete(url);
        entries.set(url, answer);
      },
      keys: async () => [...entries.keys()],
      delete: async (url: string) => entries.delete(url),
    };
  };
  return { open, delete: async (name: string) => stores.delete(name), stores };
};

let fake: ReturnType<typeof fakeCaches>;
let owner: string | null;
let ages: (number | null)[];
let answer: (url: string) => Response | Promise<Response>;

beforeEach(() => {
  fake = fakeCaches();
  Object.defineProperty(globalThis, "caches", { configurable: true, value: fake });
  owner = "1 build";
  ages = [];
  answer = (url) => Response.json({ url });
});
afterEach(async () => {
  await purgeAnswers();
  Reflect.deleteProperty(globalThis, "caches");
});

/** A page that has just been opened. */
const openPage = () =>
  createKeepingFetch({
    owner: () => owner,
    onAge: (at) => ages.push(at),
    send: async (input) => answer(String(input)),
  });

const isDown = () => {
  answer = () => {
    throw new TypeError("Failed to fetch");
  };
};
const url = (path: string) => new URL(path, document.baseURI).href;
const DASHBOARD = url("api/dashboard");
/** Waits until everything has been written: a purge of nothing comes after it. */
const written = async () => {
  const purge = caches.delete;
  Object.assign(caches, { delete: async () => false });
  await purgeAnswers();
  Object.assign(caches, { delete: purge });
};

test("a page that is opened without a server gets the last answer and its time", async () => {
  await openPage()(DASHBOARD);
  await written();
  isDown();
  const before = Date.now();
  const kept = await openPage()(DASHBOARD);
  expect(await kept.json()).toEqual({ url: DASHBOARD });
  expect(ages.length).toBe(2);
  expect(ages[0]).toBeNull();
  expect(ages[1]).toBeGreaterThan(before - 60_000);
  expect(ages[1]).toBeLessThanOrEqual(Date.now());
});

test("a page that has data learns that the server is down", async () => {
  const page = openPage();
  await page(DASHBOARD);
  await written();
  isDown();
  expect(page(DASHBOARD)).rejects.toThrow("Failed to fetch");
});

test("an error page of a proxy counts as a server that is down, an answer of the server does not", async () => {
  await openPage()(DASHBOARD);
  await written();
  answer = () => new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "content-type": "text/html" } });
  expect((await openPage()(DASHBOARD)).status).toBe(200);
  answer = () => Response.json({ success: false, code: "unavailable" }, { status: 503 });
  expect((await openPage()(DASHBOARD)).status).toBe(503);
});

test("answers of another user or build are not given, nor any after a sign-out", async () => {
  await openPage()(DASHBOARD);
  await written();
  isDown();
  for (const other of ["2 build", "1 newer", null]) {
    owner = other;
    expect(openPage()(DASHBOARD)).rejects.toThrow("Failed to fetch");
  }
  owner = "1 build";
  await purgeAnswers();
  expect(fake.stores.size).toBe(0);
  expect(openPage()(DASHBOARD)).rejects.toThrow("Failed to fetch");
});

test("an answer that arrives after the sign-out of its user is not kept", async () => {
  let arrive = () => {};
  answer = (asked) =>
    new Promise<Response>((resolve) => {
      arrive = () => resolve(Response.json({ url: asked }));
    });
  const pending = openPage()(DASHBOARD);
  owner = null;
  const purged = purgeAnswers();
  arrive();
  await Promise.all([pending, purged]);
  await written();
  expect([...fake.stores.values()].flatMap((entries) => [...entries.keys()])).toEqual([]);
});

test.each([
  ["api/dashboard", true],
  ["api/monitors?fields=compact&limit=100", true],
  ["api/agents", true],
  ["api/monitors?search=shop", false],
  ["api/monitors/1", false],
  ["api/auth/me", false],
  ["api/keys", false],
  ["api/notifications/channels", false],
])("the answer of %s is kept: %p", async (path, isKept) => {
  await openPage()(url(path));
  await written();
  expect(fake.stores.get("answers")?.has(url(path)) ?? false).toBe(isKept);
});

test("changes, refusals and large answers are not kept, and of others the last thirty", async () => {
  const page = openPage();
  await page(DASHBOARD, { method: "POST" });
  answer = () => Response.json({ success: false }, { status: 403 });
  await page(DASHBOARD);
  answer = () => new Response("x".repeat(1_000_001));
  await page(DASHBOARD);
  await written();
  const kept = () => [...(fake.stores.get("answers")?.keys() ?? [])];
  expect(kept()).toEqual([]);
  answer = (asked) => Response.json({ url: asked });
  for (let offset = 0; offset < 40; offset++) await page(url(`api/monitors?offset=${offset}`));
  await written();
  expect(kept().length).toBe(30);
  expect(kept().at(-1)).toBe(url("api/monitors?offset=39"));
});

test("without a cache, on plain http, answers and failures pass unchanged", async () => {
  Reflect.deleteProperty(globalThis, "caches");
  expect((await openPage()(DASHBOARD)).status).toBe(200);
  isDown();
  expect(openPage()(DASHBOARD)).rejects.toThrow("Failed to fetch");
});
