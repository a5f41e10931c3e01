import { describe, expect, it } from "bun:test";
import { monitors, notificationRules } from "../../db/schema";
import { createTestApp } from "../../testing/app";
import { telegramChannel } from "../../testing/fixtures/alerts";

describe("a file that cannot be imported", () => {
  const monitor = { id: 1, name: "a", url: "http://a.example", interval: 60 };
  const good = { format: "wakeful-configuration", version: 1, monitors: [monitor, { ...monitor, id: 2 }] };
  const cases: [string, unknown, string[]][] = [
    ["has another format", { format: "other", version: 1 }, ["format"]],
    ["has a newer version", { ...good, version: 2 }, ["version"]],
    ["is a list", [], ["body"]],
    [
      "has bad monitors",
      { ...good, monitors: [monitor, { ...monitor, url: "ftp://x", timeout: 0 }] },
      ["monitors.1.url", "monitors.1.timeout"],
    ],
    ["has a timeout above the interval", { ...good, monitors: [{ ...monitor, timeout: 61 }] }, ["monitors.0.timeout"]],
    [
      "has a line break in a header name",
      { ...good, monitors: [{ ...monitor, headers: { "a\r\nb": "c" } }] },
      ["monitors.0.headers"],
    ],
    ["has a duplicate id", { ...good, monitors: [monitor, monitor] }, ["monitors.1.id"]],
    [
      "has an unknown kind of channel",
      { ...good, channels: [{ name: "x", type: "__proto__", config: {} }] },
      ["channels.0.type"],
    ],
    [
      "has a bad channel",
      { ...good, channels: [{ ...telegramChannel(" "), config: { botToken: "1:2" } }] },
      ["channels.0.name", "channels.0.config.botToken", "channels.0.config.chatId"],
    ],
    [
      "refers to missing channels",
      { ...good, notifications: { monitors: { channels: [0, 7] } } },
      ["notifications.monitors.channels.1"],
    ],
    [
      "refers to missing monitors",
      { ...good, notifications: { specificMonitors: { 3: {}, __proto: {} } } },
      ["notifications.specificMonitors.3", "notifications.specificMonitors.__proto"],
    ],
    [
      "refers to missing monitors in a group",
      { ...good, status_page: { groups: [{ name: "Shop", monitors: [9], agents: [] }] } },
      ["status_page.groups.0.monitors.0"],
    ],
    [
      "refers to missing servers",
      { ...good, status_page: { agents: [4], monitors: [2, 9] } },
      ["status_page.monitors.1", "status_page.agents.0"],
    ],
    [
      "has a threshold too high",
      { ...good, notifications: { agents: { cpuThreshold: 101 } } },
      ["notifications.agents.cpuThreshold"],
    ],
    [
      "has a logo with a javascript: address",
      { ...good, status_page: { logoUrl: "javascript:alert(1)" } },
      ["status_page.logoUrl"],
    ],
    [
      "has bad policies",
      {
        ...good,
        policies: [
          { id: 1, name: "Night", steps: [{ after_minutes: 0, channels: [7] }] },
          { id: 2, name: " Night", steps: [{ after_minutes: 5, channels: [] }], repeat_minutes: 4 },
        ],
      },
      [
        "policies.1.steps.0.after_minutes",
        "policies.1.repeat_minutes",
        "policies.1.name",
        "policies.0.steps.0.channels.0",
      ],
    ],
    [
      "refers to missing policies",
      { ...good, notifications: { agents: { policyId: 3 } } },
      ["notifications.agents.policyId"],
    ],
    ["has too many values", { ...good, monitors: Array(200_000).fill(0) }, ["body"]],
  ];
  it.each(cases)(
    "because it %s changes nothing, and is answered with the path of each error",
    async (_, file, paths) => {
      const app = await createTestApp();
      const { bob } = await app.people();
      const { status, body } = await app.as(bob).post("/api/import", file);
      expect({ status, code: body.code }).toEqual({ status: 422, code: "validation" });
      expect(body.errors.map(({ path }) => path)).toEqual(paths);
      for (const { path, message } of body.errors) expect(message).toStartWith(`${path}: `);
      expect(await app.db.$count(monitors)).toBe(0);
      expect(await app.db.$count(notificationRules)).toBe(0);
    },
  );

  it("is answered with at most 100 errors", async () => {
    const app = await createTestApp();
    const { bob } = await app.people();
    const monitors = Array.from({ length: 2000 }, (_, id) => ({ ...monitor, id: id + 1, timeout: 61 }));
    expect((await app.as(bob).post("/api/import", { ...good, monitors })).body.errors.length).toBe(100);
  });

  it("needs a session or a full API key, like the export", async () => {
    const app = await createTestApp();
    const { bob } = await app.people();
    expect((await app.anybody.get("/api/export")).status).toBe(401);
    expect((await app.anybody.post("/api/import", good)).status).toBe(401);
    for (const [scope, status] of [
      ["read", 403],
      ["full", 200],
    ] as const) {
      const { key } = (await app.as(bob).post("/api/keys", { name: "copies", scope })).body;
      const client = app.as({ ...bob, token: key });
      expect([scope, (await client.get("/api/export")).status]).toEqual([scope, status]);
      expect([scope, (await client.post("/api/import", { ...good, monitors: [] })).status]).toEqual([scope, status]);
    }
  });
});
