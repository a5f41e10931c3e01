import { describe, expect, it } from "bun:test";
import { MASK, maskUrl } from "../../shared/mask";
import { createTestApp, type TestApp } from "../../testing/app";
import type { TestUser } from "../../testing/fixtures/people";

const SECRETS = ["s3cret-header", "s3cret-body", "s3cret-password", "s3cret-query"];
const SHOP = {
  name: "shop",
  url: "https://probe:s3cret-password@192.0.2.1/health?token=s3cret-query",
  method: "POST",
  headers: { Authorization: "Bearer s3cret-header" },
  body: "s3cret-body",
  interval: 60,
  active: false,
};

const addShop = async (app: TestApp, owner: TestUser) =>
  (await app.as(owner).post("/api/monitors", SHOP)).body.monitor.id;
const readingKey = async (app: TestApp, owner: TestUser): Promise<TestUser> => ({
  ...owner,
  token: (await app.as(owner).post("/api/keys", { name: "reads", scope: "read" })).body.key,
});

describe("a read-only API key", () => {
  it("reads the secrets of monitors masked, including its owner's", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    const id = await addShop(app, bob);
    for (const owner of [alice, bob]) {
      const key = app.as(await readingKey(app, owner));
      for (const path of ["/api/monitors", "/api/monitors?fields=all", `/api/monitors/${id}`, "/api/dashboard"]) {
        const { status, text } = await key.get(path);
        expect(status).toBe(200);
        expect(text).toContain("shop");
        for (const secret of SECRETS) expect(text).not.toContain(secret);
      }
    }
  });

  it("can't find a secret in a URL by searching for it", async () => {
    const app = await createTestApp();
    const { bob } = await app.people();
    await addShop(app, bob);
    const key = app.as(await readingKey(app, bob));
    expect((await key.get("/api/monitors?search=s3cret")).body.monitors).toEqual([]);
    expect((await key.get("/api/monitors?search=shop")).body.monitors).toHaveLength(1);
    expect((await app.as(bob).get("/api/monitors?search=s3cret")).body.monitors).toHaveLength(1);
  });
});

describe("an administrator", () => {
  it("can't send a header of another user's monitor to another origin, by its mask or by leaving it out", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    const id = await addShop(app, bob);
    const path = `/api/monitors/${id}`;
    const { headers, ...rest } = { ...SHOP, headers: { authorization: MASK } };
    for (const url of ["https://elsewhere.example/", "http://192.0.2.1/health", "https://192.0.2.1:8443/health"])
      for (const sent of [
        { ...rest, url, headers },
        { ...rest, url },
      ]) {
        const { status, body } = await app.as(alice).put(path, sent);
        expect([url, status, body.errors.map(({ path }) => path)]).toEqual([url, 422, ["headers"]]);
      }
    expect((await app.as(bob).get(path)).body.monitor).toMatchObject({ url: SHOP.url, headers: SHOP.headers });
    const own = { ...rest, url: "https://elsewhere.example/", headers: { Authorization: "Bearer of mine" } };
    expect((await app.as(alice).put(path, own)).status).toBe(200);
    expect((await app.as(bob).put(path, { ...rest, url: SHOP.url })).body.monitor.headers).toEqual(own.headers);
  });

  it("reads header values of another user's monitor masked, and keeps them by sending the mask", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    const id = await addShop(app, bob);
    const { monitor } = (await app.as(alice).get(`/api/monitors/${id}`)).body;
    expect(monitor.headers).toEqual({ Authorization: MASK });
    const changed = await app.as(alice).put(`/api/monitors/${id}`, { ...monitor, name: "renamed" });
    expect([changed.status, changed.body.monitor.name]).toEqual([200, "renamed"]);
    expect(changed.text).not.toContain("s3cret-header");
    expect((await app.as(bob).get(`/api/monitors/${id}`)).body.monitor.headers).toEqual(SHOP.headers);
  });

  it("reads the secrets of their own monitors", async () => {
    const app = await createTestApp();
    const { alice } = await app.people();
    const id = await addShop(app, alice);
    const { monitor } = (await app.as(alice).get(`/api/monitors/${id}`)).body;
    expect(monitor).toMatchObject({ url: SHOP.url, headers: SHOP.headers, body: SHOP.body });
  });
});

it("an update refuses a mask for a header that is not stored", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const id = await addShop(app, bob);
  for (const answer of [
    await app.as(bob).post("/api/monitors", { ...SHOP, headers: { "X-Key": MASK } }),
    await app.as(bob).put(`/api/monitors/${id}`, { ...SHOP, headers: { "X-Key": MASK } }),
  ])
    expect([answer.status, answer.body.errors[0]?.path]).toEqual([422, "headers"]);
});

it("a masked URL hides user information, query values and fragments, and keeps the rest", () => {
  expect(maskUrl("https://example.com/a/b")).toBe("https://example.com/a/b");
  expect(maskUrl("https://u:p@example.com/a")).toBe(`https://${MASK}@example.com/a`);
  expect(maskUrl("https://u:p@x@example.com")).toBe(`https://${MASK}@example.com`);
  expect(maskUrl("https://example.com?a=1&b=2=3&c")).toBe(`https://example.com?a=${MASK}&b=${MASK}&${MASK}`);
  expect(maskUrl("https://example.com/?secret#t=1")).toBe(`https://example.com/?${MASK}#t=${MASK}`);
});
