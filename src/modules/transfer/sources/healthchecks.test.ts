import { expect, it, onTestFinished } from "bun:test";
import { HOUR } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { importer } from "../../../testing/fixtures/imports/kuma";

const start = async (env: Record<string, string> = {}) => {
  const app = await createTestApp({ env });
  const { alice } = await app.people();
  const calls = importer(app.send, alice.token);
  const preview = (content: string) => {
    const form = new FormData();
    form.set("file", new Blob([content]), "file");
    return calls.preview(form);
  };
  return { app, client: app.as(alice), ...calls, preview };
};

const rowsOf = (body: { items: { name: string; outcome: string; notes: { code: string }[] }[] }) =>
  body.items.map(({ name, outcome, notes }) => [name, outcome, ...notes.map(({ code }) => code)]);

const CHECK = { name: "Backup", slug: "backup", tags: "db prod", desc: "", grace: 600, status: "up", methods: "" };

it("checks of healthchecks keep their ids and slugs in ping URLs, schedules and tags", async () => {
  const { app, preview, apply, client } = await start();
  const uuid = "5f0c2f1e-0c7a-4c39-9d53-3c9d8f1e2a11";
  const { body } = await preview(
    JSON.stringify({
      checks: [
        { ...CHECK, uuid, timeout: 3600 },
        {
          ...CHECK,
          ...{ name: "Nightly", slug: "nightly" },
          ping_url: `https://hc.example.com/ping/${uuid.replace("5f", "6f")}`,
          schedule: "0 3 * * *",
          tz: "Europe/Berlin",
          status: "paused",
        },
        { ...CHECK, name: "Systemd", slug: "7", uuid: uuid.replace("5f", "7f"), schedule: "Mon..Fri 12:00", tz: "UTC" },
        { ...CHECK, name: "Second", uuid: uuid.replace("5f", "8f"), timeout: 3600 },
      ],
    }),
  );
  expect(rowsOf(body)).toEqual([
    ["Backup", "take"],
    ["Nightly", "take"],
    ["Systemd", "paused", "expression_unsupported", "field_left_out"],
    ["Second", "change", "slug_taken"],
  ]);
  await apply(body.id);
  expect((await app.anybody.get(`/ping/${uuid}`)).status).toBe(200);
  const key = "Zk3cXr8mQ2vT1aBcD4eF5g";
  expect((await app.anybody.get(`/ping/${key}/backup`)).status).toBe(404);
  expect((await client.post("/api/ping-keys", { key })).status).toBe(201);
  for (const path of ["backup", "backup/start", "backup/0", "nightly"])
    expect([path, (await app.anybody.get(`/ping/${key}/${path}`)).status]).toEqual([path, 200]);
  const { monitors } = (await client.get("/api/monitors?sort=name")).body;
  expect(monitors).toMatchObject([
    { config: { every: 3600, grace: 600, slug: "backup" }, active: true, tags: [{ name: "db" }, { name: "prod" }] },
    { config: { cron: "0 3 * * *", tz: "Europe/Berlin", slug: "nightly" }, active: false },
    { config: { every: 3600, slug: "" } },
    { active: false },
  ]);
});

it("changes of state that healthchecks answers to a key become outages, and pauses do not", async () => {
  const uuids = ["5f", "6f", "7f"].map((start) => `${start}0c2f1e-0c7a-4c39-9d53-3c9d8f1e2a11`);
  const at = (hours: number) => new Date(START - hours * HOUR).toISOString().replace(".000Z", "+00:00");
  const flips = [
    // Newest first. The check was paused and resumed 30 hours ago.
    [
      ...[
        [2, 0],
        [28, 1],
        [29, 0],
        [30, 0],
        [40, 1],
        [42, 0],
        [100, 1],
      ],
    ],
    [
      ...[
        [5, 0],
        [50, 1],
      ],
    ],
    [],
  ].map((list) => list.map(([hours = 0, up]) => ({ timestamp: at(hours), up })));
  const server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    fetch: (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const index = uuids.findIndex((uuid) => pathname === `/api/v3/checks/${uuid}/flips/`);
      if (index >= 0) return Response.json({ flips: searchParams.has("start") ? flips[index] : null });
      const checks = uuids.map((uuid, index) => ({
        ...{ ...CHECK, slug: "", name: `Check ${index}`, uuid, timeout: 3600, status: index === 1 ? "paused" : "down" },
      }));
      return Response.json({ checks });
    },
  });
  onTestFinished(() => server.stop(true));
  const env = { PROVIDER_ORIGINS: `https://healthchecks.io=http://127.0.0.1:${server.port}` };
  const { client, apply } = await start(env);
  const { body } = await client.post("/api/import/preview", { source: "healthchecks", key: "key-1" });
  const preview = body as unknown as { id: string; history_from: string };
  expect(Date.parse(preview.history_from)).toBe(START - 100 * HOUR);
  const done = await apply(preview.id);
  expect(done.body.history).toEqual({ days: 0, outages: 2 });
  const { outages } = (await client.get("/api/outages")).body;
  expect(
    outages.map(({ started_at, ended_at }) => [started_at, ended_at].map((time) => Date.parse(time ?? ""))),
  ).toEqual([
    [START - 2 * HOUR, START],
    [START - 42 * HOUR, START - 40 * HOUR],
  ]);
  const watched = [100, 45, 0].map((hours) => hours * 3600);
  for (const [index, seconds] of watched.entries()) {
    const id = done.body.items[index]?.target_id;
    const { monitor } = (await client.get(`/api/monitors/${id}`)).body;
    expect([index, monitor.availability?.["90d"]?.watched_seconds]).toEqual([index, seconds]);
  }
});

it("the answer of healthchecks to a read-only key is refused with the reason", async () => {
  const { preview } = await start();
  const { body } = await preview(
    JSON.stringify({ checks: [{ ...CHECK, unique_key: "a6c7b0a8a66bed0df66abfdab3c77736861703ee" }] }),
  );
  expect(body.code).toBe("import_unreadable");
  expect(body.message).toContain("read-only key");
});
