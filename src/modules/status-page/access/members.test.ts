import { describe, expect, it } from "bun:test";
import { addMember, type TestUser } from "../../../testing/fixtures/people";
import {
  createPage,
  expectNoLeak,
  fillPage as fill,
  type Hub,
  PAGE_PASSWORD as PASSWORD,
  serveVisitors as setUp,
} from "../../../testing/fixtures/status/private-pages";

describe("a page for members", () => {
  const open = (hub: Hub, user: TestUser) => hub.as(user).post("/api/status/session?page=shop");

  it("is opened by a session of a member, also a viewer, until the session or the membership ends", async () => {
    const { hub, get, bob, charlie } = await setUp();
    await fill(hub, bob, { access: "members" });
    const viewer = await addMember(hub, bob.teamId, "viewer");
    expect((await get("/status/shop/data.json")).body.code).toBe("page_members_only");
    expect((await hub.anybody.post("/api/status/session?page=shop")).status).toBe(401);
    expect((await open(hub, charlie)).status).toBe(404);
    const cookies: string[] = [];
    for (const user of [bob, viewer]) {
      const { status, headers } = await open(hub, user);
      expect(status).toBe(200);
      expect(headers.get("set-cookie")).toMatch(/; Path=\/status\/shop; Max-Age=604800; HttpOnly; SameSite=Lax$/);
      cookies.push(headers.get("set-cookie")?.split(";")[0] ?? "");
    }
    const [owner = "", member = ""] = cookies;
    expect([(await get("/status/shop", owner)).status, (await get("/status/shop", member)).status]).toEqual([200, 200]);
    await hub.as(bob).delete(`/api/teams/${bob.teamId}/members/${viewer.id}`);
    expect((await get("/status/shop", member)).status).toBe(401);
    await hub.as(bob).post("/api/auth/logout");
    expect((await get("/status/shop", owner)).status).toBe(401);
  });

  it("is not opened by a password, an API key or a cookie from when it had a password", async () => {
    const { hub, get, form, enter, bob } = await setUp();
    const { page } = await fill(hub, bob, { access: "password", password: PASSWORD });
    const cookie = await enter("/status/shop");
    await hub.as(bob).put(`/api/pages/${page.id}`, { access: "members" });
    expect((await get("/status/shop", cookie)).status).toBe(401);
    expect((await form("/status/shop/access", PASSWORD)).headers.has("set-cookie")).toBe(false);
    const made = (await hub.as(bob).post("/api/keys", { name: "x", scope: "full" })).body;
    const byKey = await hub.call("/api/status/session?page=shop", {
      method: "POST",
      headers: { authorization: `Bearer ${Object(made).key}` },
    });
    expect([byKey.status, byKey.body.code]).toEqual([403, "session_required"]);
  });

  it("has a document that opens it by a script, and leads to the sign-in and back", async () => {
    const { hub, get, bob } = await setUp();
    await fill(hub, bob, { access: "members" });
    const { status, text } = await get("/status/shop");
    expect(status).toBe(401);
    expect(text).toInclude('href="./login?next=%2Fstatus%2Fshop"');
    expect(text).toMatch(
      /<script src="\.\/page-access\.js" data-page="[a-z]{12}" data-call="\.\/api\/status\/session\?page=shop"/,
    );
    expectNoLeak(text);
  });
});

describe("the access of a page", () => {
  it("needs a password where it says so, and shows none of it afterwards", async () => {
    const { hub, alice } = await setUp();
    const page = await createPage(hub, alice, { slug: "shop" });
    const path = `/api/pages/${page.id}` as const;
    const refused = async (body: object) => {
      const { status, body: answer } = await hub.as(alice).put(path, body);
      return [status, answer.errors?.[0]?.path];
    };
    expect(await refused({ access: "password" })).toEqual([422, "password"]);
    expect(await refused({ access: "password", password: "short" })).toEqual([422, "password"]);
    expect(await refused({ password: PASSWORD })).toEqual([422, "password"]);
    expect(await refused({ access: "members", password: PASSWORD })).toEqual([422, "password"]);
    expect(await refused({ access: "secret" })).toEqual([422, "access"]);
    const { text, body } = await hub.as(alice).put(path, { access: "password", password: PASSWORD });
    expect(body.page).toMatchObject({ access: "password", has_password: true, has_key: false, title_public: false });
    expect(text).not.toMatch(/argon2|sesame/);
    const log = (await hub.as(alice).get("/api/changes")).text;
    expect(log).not.toMatch(/argon2|sesame/);
  });

  it("is closed to users of other teams and to viewers", async () => {
    const { hub, alice, bob } = await setUp();
    const page = await createPage(hub, alice, { slug: "shop" });
    const viewer = await addMember(hub, alice.teamId, "viewer");
    const body = { access: "members" };
    expect((await hub.as(bob).put(`/api/pages/${page.id}`, body)).status).toBe(404);
    expect((await hub.as(viewer).put(`/api/pages/${page.id}?team=${alice.teamId}`, body)).status).toBe(403);
    expect((await hub.as(viewer).post(`/api/pages/${page.id}/key?team=${alice.teamId}`)).status).toBe(403);
  });

  it("is exported without the password, and an imported page with a password is closed until it is given one", async () => {
    const { hub, get, form, alice, bob } = await setUp();
    await hub.as(alice).post("/api/status/config", { title: "Secret shop" });
    const [{ id = 0 } = {}] = (await hub.as(alice).get("/api/pages")).body.pages;
    await hub.as(alice).put(`/api/pages/${id}`, { access: "password", password: PASSWORD });
    const { text } = await hub.as(alice).get("/api/export");
    expect(text).not.toMatch(/argon2|sesame/);
    const { status, body } = await hub.as(bob).post("/api/import", JSON.parse(text));
    expect([status, body.notes.map(({ code }) => code)]).toEqual([200, ["secret_missing"]]);
    expect((await get("/status/bob/data.json")).status).toBe(401);
    for (const password of [PASSWORD, ""]) expect((await form("/status/bob/access", password)).status).toBe(401);
  });
});
