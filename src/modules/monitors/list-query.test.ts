import { describe, expect, it } from "bun:test";
import { createTestApp } from "../../testing/app";
import { START } from "../../testing/clock";
import { addMonitor, record } from "../../testing/fixtures/monitors";

const MINUTE = 60_000;

/** Bob's monitors, one of each status, and one of charlie's. */
const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob, charlie } = await app.people();
  const add = (name: string, more = {}, owner = bob) =>
    addMonitor(app, owner, { url: `https://${name.length}.example/?token=secret`, name, ...more });
  const up = await add("web 10");
  const down = await add("Web 2");
  await add("Äpfel");
  const paused = await add("Old", { active: false });
  const flaky = await add("zebra");
  await record(app, up, [{ at: START - 3 * MINUTE, time: 30 }]);
  await record(app, down, [{ at: START - 2 * MINUTE, time: null, up: false }]);
  await record(app, paused, [{ at: START - 4 * MINUTE, time: 10 }]);
  await record(app, flaky, [
    { at: START - 5 * MINUTE, up: false, time: null },
    { at: START - MINUTE, time: 20 },
  ]);
  const list = async (query: string) => (await app.as(bob).get(`/api/monitors?${query}`)).body;
  const names = async (query: string) => (await list(query)).monitors.map(({ name }) => name);
  return { app, alice, bob, charlie, add, list, names, ids: { up, down, paused, flaky } };
};

describe("a sorted list", () => {
  it("is ordered by name, with numbers by value and letters regardless of case and accents", async () => {
    const { names } = await setUp();
    expect(await names("sort=name")).toEqual(["Äpfel", "Old", "Web 2", "web 10", "zebra"]);
    expect(await names("sort=name&order=desc")).toEqual(["zebra", "web 10", "Web 2", "Old", "Äpfel"]);
  });

  it("follows a new name", async () => {
    const { app, bob, names, ids } = await setUp();
    await app.as(bob).put(`/api/monitors/${ids.flaky}`, { name: "able", url: "https://shop.example/", interval: 60 });
    expect(await names("sort=name&limit=1")).toEqual(["able"]);
  });

  it("is ordered by urgency, and by name within a status", async () => {
    const { names } = await setUp();
    expect(await names("sort=status")).toEqual(["Web 2", "Äpfel", "web 10", "zebra", "Old"]);
    expect(await names("sort=status&order=desc")).toEqual(["Old", "web 10", "zebra", "Äpfel", "Web 2"]);
  });

  it("has monitors without a value last in both directions", async () => {
    const { names } = await setUp();
    expect(await names("sort=response_time")).toEqual(["Old", "zebra", "web 10", "Äpfel", "Web 2"]);
    expect(await names("sort=response_time&order=desc")).toEqual(["web 10", "zebra", "Old", "Äpfel", "Web 2"]);
    expect(await names("sort=last_checked")).toEqual(["Old", "web 10", "Web 2", "zebra", "Äpfel"]);
    expect(await names("sort=last_checked&order=desc")).toEqual(["zebra", "Web 2", "web 10", "Old", "Äpfel"]);
    expect((await names("sort=uptime")).at(0)).toBe("Web 2");
    expect((await names("sort=uptime")).at(1)).toBe("zebra");
    expect((await names("sort=uptime")).at(-1)).toBe("Äpfel");
    expect((await names("sort=uptime&order=desc")).slice(-3)).toEqual(["zebra", "Web 2", "Äpfel"]);
  });

  it("is ordered by creation by default", async () => {
    const { names } = await setUp();
    const created = ["web 10", "Web 2", "Äpfel", "Old", "zebra"];
    expect(await names("sort=created")).toEqual(created);
    expect(await names("order=desc")).toEqual(created.toReversed());
  });

  it("has the same monitors on its pages as without pages, and the total on each", async () => {
    const { names, list } = await setUp();
    for (const sort of ["name", "status", "response_time", "uptime", "last_checked", "created"]) {
      const all = await names(`sort=${sort}`);
      const paged: string[] = [];
      for (let offset = 0; offset < 6; offset += 2)
        paged.push(...(await names(`sort=${sort}&limit=2&offset=${offset}`)));
      expect([sort, paged]).toEqual([sort, all]);
      const beyond = await list(`sort=${sort}&limit=2&offset=20`);
      expect([beyond.total, beyond.monitors]).toEqual([5, []]);
    }
  });

  it("by uptime has a monitor that was just created, and follows results within half a minute", async () => {
    const { app, add, names, ids } = await setUp();
    expect((await names("sort=uptime")).at(0)).toBe("Web 2");
    await add("a new one");
    expect(await names("sort=uptime")).toContain("a new one");
    await record(app, ids.up, [{ at: START, up: false, time: null }]);
    await app.clock.advance(10 * MINUTE);
    expect((await names("sort=uptime")).indexOf("web 10")).toBeLessThan(3);
  });

  it("combines with a search and a filter", async () => {
    const { names } = await setUp();
    expect(await names("sort=name&order=desc&search=web")).toEqual(["web 10", "Web 2"]);
    expect(await names("sort=uptime&status=active&search=e")).toEqual(["Web 2", "zebra", "web 10", "Äpfel"]);
  });

  it("is refused for an unknown sort, direction or page", async () => {
    const { app, bob } = await setUp();
    const sent = [
      "sort=colour",
      "sort=",
      "order=up",
      "offset=-1",
      "offset=next",
      "limit=0",
      "fields=some",
      "sort=id;drop",
    ];
    for (const query of sent) {
      const { status, body } = await app.as(bob).get(`/api/monitors?${query}`);
      expect([query, status, body.code]).toEqual([query, 422, "validation"]);
    }
  });

  it("has a user's own monitors only, and of all users for administrators", async () => {
    const { app, add, alice, charlie, names } = await setUp();
    await add("Charlie's", {}, charlie);
    for (const sort of ["name", "uptime"]) {
      expect(await names(`sort=${sort}`)).not.toContain("Charlie's");
      const seen = (await app.as(alice).get(`/api/monitors?sort=${sort}`)).body;
      expect([seen.total, seen.monitors.map(({ name }) => name).includes("Charlie's")]).toEqual([6, true]);
    }
  });
});

it("a search ignores the case of letters beyond ASCII", async () => {
  const { names } = await setUp();
  for (const text of ["äpfel", "ÄPFEL", "Äpf", "PFEL"])
    expect([text, await names(`search=${encodeURIComponent(text)}`)]).toEqual([text, ["Äpfel"]]);
});

describe("a compact list", () => {
  it("has few fields, and each past outcome as time, state and response time", async () => {
    const { app, bob, ids } = await setUp();
    const { body } = await app.as(bob).get("/api/monitors?fields=compact&sort=name");
    const compact = body.monitors.at(-1) as unknown;
    const { monitors } = (await app.as(bob).get("/api/monitors?sort=name")).body;
    const { id, name, kind, target, active, status, unknown, since, error_code, error_detail, muted, tags } =
      monitors.at(-1) ?? {};
    const { maintenance, response_time, uptime, watched, last_checked, updated_at } = monitors.at(-1) ?? {};
    expect(compact).toEqual({
      ...{ id, name, kind, target, active, status, unknown, since, error_code, error_detail, muted, tags },
      ...{ maintenance, response_time, uptime, watched, last_checked, updated_at },
      history: [
        [START - 5 * MINUTE, 0, null],
        [START - MINUTE, 1, 20],
      ],
    });
    expect([id, body.total, body.counts.all]).toEqual([ids.flaky, 5, 5]);
    const last = (await app.as(bob).get("/api/monitors?fields=compact&sort=name&history=1")).body.monitors.at(-1);
    expect(last?.history as unknown).toEqual([[START - MINUTE, 1, 20]]);
  });

  it("hides secrets from a read-only key, and names the owner to administrators only", async () => {
    const { app, alice, bob } = await setUp();
    const { key } = (await app.as(bob).post("/api/keys", { name: "reader", scope: "read" })).body;
    const text = async (token: string) => (await app.as({ ...bob, token }).get("/api/monitors?fields=compact")).text;
    expect(await text(bob.token)).toContain("secret");
    expect(await text(key)).not.toContain("secret");
    expect(await text(alice.token)).toContain('"owner":"bob"');
    expect(await text(bob.token)).not.toContain('"owner"');
  });
});
