import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { pageDomains, statusPages } from "../../../db/schema";
import { SECOND } from "../../../shared/limits";
import { parseDomain } from "../../../shared/status/domains";
import { createTestApp, type TestApp } from "../../../testing/app";
import { startWithSubscribers } from "../../../testing/fixtures/pages/subscribers";
import type { TestUser } from "../../../testing/fixtures/people";
import { slugOfDomain } from "./domains";

const setUp = async (env: Record<string, string> = { PUBLIC_URL: "https://watch.example.com" }) => {
  const app = await createTestApp({ env });
  const people = await app.people();
  return { app, ...people };
};

const create = async (app: TestApp, owner: TestUser, slug: string, domains?: string[]) => {
  const { status, body, text } = await app
    .as(owner)
    .post("/api/pages", { slug, title: slug, ...(domains && { domains }) });
  if (status !== 201) throw new Error(text);
  return body.page;
};

it.each([
  ["Status.Acme.COM", "status.acme.com"],
  [" status.acme.com. ", "status.acme.com"],
  ["例子.中国", "xn--fsqu00a.xn--fiqs8s"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["a。com", "a.com"],
])("%p is the domain %p", (text, domain) => {
  expect(parseDomain(text)).toEqual({ domain });
});

it.each([
  ["1.2.3.4", "address"],
  ["127.1", "address"],
  ["0x7f000001", "address"],
  ["１.２.３.４", "address"],
  ["[::1]", "address"],
  ["fe80::1", "address"],
  ["a.com:8080", "port"],
  ["a.com:", "port"],
  ["https://a.com", "path"],
  ["a.com/x", "path"],
  ["user@a.com", "path"],
  ["a.com\\x", "path"],
  ["*.a.com", "wildcard"],
  ["localhost", "local"],
  ["status.localhost", "local"],
  ["hub.", "local"],
  ["", "invalid"],
  ["a..com", "invalid"],
  ["-a.com", "invalid"],
  ["a_b.com", "invalid"],
  ["a b.com", "invalid"],
  ["a\nb.com", "invalid"],
  ["a\u00ad.com", "invalid"],
  ["a%2ecom", "invalid"],
  ["xn--a.com", "invalid"],
  ["a\0.com", "invalid"],
  [`${"x".repeat(64)}.com`, "invalid"],
  [`${"a.".repeat(126)}com`, "invalid"],
] as const)("%p is no domain: %p", (text, problem) => {
  expect(parseDomain(text)).toEqual({ problem });
});

describe("the domains of a page", () => {
  it("are saved in their order in a canonical form, and the change is in the log of changes", async () => {
    const { app, alice } = await setUp();
    const { id, domains } = await create(app, alice, "shop");
    expect(domains).toEqual([]);
    const put = async (sent: string[]) =>
      (await app.as(alice).put(`/api/pages/${id}`, { domains: sent })).body.page?.domains;
    expect(await put(["B.example.org", "例子.中国", "b.example.org."])).toEqual([
      "b.example.org",
      "xn--fsqu00a.xn--fiqs8s",
    ]);
    expect(await put(["a.example.org", "b.example.org"])).toEqual(["a.example.org", "b.example.org"]);
    // A change of something else keeps them.
    expect((await app.as(alice).put(`/api/pages/${id}`, { title: "New" })).body.page?.domains).toHaveLength(2);
    const { changes } = (await app.as(alice).get("/api/audit?type=status_page")).body;
    expect(changes.flatMap(({ fields }) => (fields.domains ? [fields.domains] : []))).toEqual([
      ["b.example.org, xn--fsqu00a.xn--fiqs8s", "a.example.org, b.example.org"],
      ["", "b.example.org, xn--fsqu00a.xn--fiqs8s"],
    ]);
  });

  it("are refused with a code and a sentence, and nothing of the request is saved", async () => {
    const { app, alice } = await setUp();
    const { id } = await create(app, alice, "shop", ["a.example.org"]);
    const put = (domains: string[]) => app.as(alice).put(`/api/pages/${id}`, { title: "Other", domains });
    for (const [domain, code, message] of [
      ["192.0.2.1", "domain_invalid", "192.0.2.1 can't be the domain of a status page: an IP address can't be used."],
      ["b.org:1", "domain_invalid", "b.org:1 can't be the domain of a status page: leave out the port."],
      [
        "watch.example.com",
        "domain_own",
        "watch.example.com is the address of Wakeful itself, so no status page can have it.",
      ],
      [
        "WATCH.example.com.",
        "domain_own",
        "watch.example.com is the address of Wakeful itself, so no status page can have it.",
      ],
    ]) {
      const { status, body } = await put(["b.example.org", domain ?? ""]);
      expect([domain, status, body.code, body.message]).toEqual([domain, 422, code, message]);
    }
    expect((await put(Array.from({ length: 6 }, (_, index) => `d${index}.example.org`))).body.code).toBe("validation");
    const { body } = await app.as(alice).get(`/api/pages/${id}`);
    expect([body.page.title, body.page.domains]).toEqual(["shop", ["a.example.org"]]);
  });

  it("can't be the name under which the caller opens a hub without PUBLIC_URL", async () => {
    const { app, alice } = await setUp({});
    const { id } = await create(app, alice, "shop");
    const put = (host: string) =>
      app.send(
        new Request(`http://x/api/pages/${id}`, {
          method: "PUT",
          headers: { host, authorization: `Bearer ${alice.token}`, "content-type": "application/json" },
          body: JSON.stringify({ domains: ["hub.example.org"] }),
        }),
      );
    expect((await (await put("hub.example.org:3000")).json()).code).toBe("domain_own");
    expect((await put("192.0.2.1:3000")).status).toBe(200);
  });

  it("can be added by administrators only while PUBLIC_URL is not set, because the hub does not know all its names", async () => {
    const { app, alice, bob } = await setUp({});
    const { id } = await create(app, bob, "bobs");
    const put = (domains: string[], user = bob) => app.as(user).put(`/api/pages/${id}`, { domains });
    const { status, body } = await put(["a.example.org"]);
    expect([status, body.code]).toEqual([403, "domain_without_public_url"]);
    const other = await setUp();
    await create(other.app, other.bob, "first");
    await create(other.app, other.bob, "more", ["a.example.org"]);
    const { body: file } = await other.app.as(other.bob).get("/api/export");
    const { notes } = (await app.as(bob).post("/api/import", file)).body;
    expect(notes).toContainEqual(expect.objectContaining({ code: "page_domain_taken" }));
    expect(await app.db.select().from(pageDomains)).toEqual([]);
    await create(app, alice, "shop", ["b.example.org"]);
    expect((await put([])).status).toBe(200);
  });

  it("lead to a page within 5 s after another instance has renamed it", async () => {
    const { app, alice } = await setUp();
    const { id } = await create(app, alice, "shop", ["a.example.org"]);
    expect(await slugOfDomain(app.deps, "a.example.org")).toBe("shop");
    await app.db.update(statusPages).set({ slug: "store" }).where(eq(statusPages.id, id));
    await app.clock.advance(6 * SECOND);
    expect(await slugOfDomain(app.deps, "a.example.org")).toBe("store");
  });

  it("belong to one page of all teams, and the refusal does not name the other", async () => {
    const { app, alice, bob } = await setUp();
    await create(app, alice, "secret-shop", ["a.example.org"]);
    const { id } = await create(app, bob, "bobs", ["b.example.org"]);
    const { status, body, text } = await app
      .as(bob)
      .put(`/api/pages/${id}`, { domains: ["c.example.org", "A.example.org"] });
    expect([status, body.code]).toEqual([409, "domain_taken"]);
    expect(text).not.toMatch(/secret|alice/);
    expect((await app.as(bob).post("/api/pages", { slug: "more", domains: ["a.example.org"] })).status).toBe(409);
    expect((await app.as(bob).get("/api/pages")).body.pages).toHaveLength(1);
    expect((await app.as(bob).get(`/api/pages/${id}`)).body.page.domains).toEqual(["b.example.org"]);
    // A domain that its page gives back is free.
    const [{ id: first = 0 } = {}] = (await app.as(alice).get("/api/pages")).body.pages;
    await app.as(alice).delete(`/api/pages/${first}`);
    expect((await app.as(bob).put(`/api/pages/${id}`, { domains: ["a.example.org"] })).status).toBe(200);
  });

  it("claimed by two pages at once belong to one of them", async () => {
    const { app, alice, bob } = await setUp();
    const pages = [
      { owner: alice, ...(await create(app, alice, "one")) },
      { owner: bob, ...(await create(app, bob, "two")) },
    ];
    for (const domain of ["a.example.org", "b.example.org", "c.example.org"]) {
      const answers = await Promise.all(
        pages.map(({ owner, id }) => app.as(owner).put(`/api/pages/${id}`, { domains: [domain] })),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      for (const [index, { owner, id }] of pages.entries()) {
        const { domains } = (await app.as(owner).get(`/api/pages/${id}`)).body.page;
        expect(domains.includes(domain)).toBe(answers[index]?.status === 200);
      }
    }
  });

  it("end with their page and its team", async () => {
    const { app, alice, bob } = await setUp();
    await create(app, bob, "bobs", ["b.example.org"]);
    expect((await app.as(alice).delete(`/api/users/${bob.id}`)).status).toBe(200);
    expect(await app.db.select().from(pageDomains)).toEqual([]);
  });

  it("are in an exported file, and an import leaves out those in use here", async () => {
    const { app, alice, bob } = await setUp();
    await create(app, alice, "first");
    await create(app, alice, "shop", ["b.example.org", "a.example.org"]);
    const file = (await app.as(alice).get("/api/export")).body;
    expect(file.pages.map(({ domains }) => domains)).toEqual([[], ["b.example.org", "a.example.org"]]);
    const refused = await app.as(bob).post("/api/import", file);
    expect(refused.body.notes).toContainEqual({
      ...{ path: "pages.1", code: "page_domain_taken" },
      message: "pages.1: these domains can't be used here: b.example.org, a.example.org",
    });
    const other = await setUp();
    await other.app.as(other.bob).post("/api/import", file);
    const pages = (await other.app.as(other.bob).get("/api/pages")).body.pages;
    const shop = (await other.app.as(other.bob).get(`/api/pages/${pages.at(-1)?.id}`)).body.page;
    expect([shop.slug, shop.domains]).toEqual(["shop", ["b.example.org", "a.example.org"]]);
    const broken = { ...file, pages: [{ ...file.pages[1], domains: ["a.example.org:80"] }] };
    expect((await other.app.as(other.alice).post("/api/import", broken)).body.errors).toMatchObject([
      { path: "pages.0.domains.0" },
    ]);
  });

  it("are in mails to subscribers, with the port of the hub", async () => {
    const { app, bob, page, sent, send, subscribe } = await startWithSubscribers({
      env: { PUBLIC_URL: "https://watch.example:8443" },
    });
    await app.as(bob).put(`/api/pages/${page.id}`, { domains: ["status.acme.example"] });
    await subscribe({ email: "ann@example.com" });
    await send();
    expect(sent[0]?.body.replace(/=\r\n/g, "")).toMatch(
      /https:\/\/status\.acme\.example:8443\/subscription\/[0-9a-z-]+/,
    );
  });
});
