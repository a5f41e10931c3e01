import { expect, it, onTestFinished } from "bun:test";
import { incidents, maintenanceWindows, pageComponents, statusPages } from "../../../../db/schema";
import { statusIncident } from "../../../../server/pages/status-page";
import { createTestApp, type TestApp } from "../../../../testing/app";
import { importer } from "../../../../testing/fixtures/imports/kuma";
import { GITHUB, lyingSummary, SENDGRID } from "../../../../testing/fixtures/imports/statuspage";
import type { TestUser } from "../../../../testing/fixtures/people";
import { readStatusData } from "../../../../testing/fixtures/status-page";
import { admit } from "../../../status-page/access/gate";
import { statuspageDocument } from "../../../status-page/statuspage/statuspage";

type Documents = Record<string, unknown>;

/** A foreign page on loopback, below a path. */
const serve = (documents: Documents, answer: (path: string) => Response | null = () => null) => {
  const server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    fetch: ({ url }) => {
      const { pathname } = new URL(url);
      const document = documents[/\/api\/v2\/(.*)\.json$/.exec(pathname)?.[1] ?? ""];
      return answer(pathname) ?? (document ? Response.json(document) : new Response("<html>", { status: 404 }));
    },
  });
  onTestFinished(() => server.stop(true));
  return `http://127.0.0.1:${server.port}`;
};

const start = async () => {
  const app = await createTestApp();
  const people = await app.people();
  const importerOf = ({ token }: TestUser) => {
    const { apply, ...others } = importer((request) => app.send(request), token);
    const preview = async (sent: object) => {
      const { status, text } = await app.as({ token } as TestUser).post("/api/import/preview", sent);
      return { status, body: JSON.parse(text) };
    };
    const upload = (document: unknown) => {
      const form = new FormData();
      form.set("file", new File([JSON.stringify(document)], "summary.json"));
      return others.preview(form);
    };
    return { preview, upload, apply };
  };
  return { app, ...people, importerOf };
};

const documentOf = async ({ deps }: TestApp, slug: string, name: string) => {
  const pass = await admit(deps, slug, {});
  const answer = pass && (await statuspageDocument(deps, pass, name));
  return (await answer?.(new Request("http://127.0.0.1/")))?.json();
};

type Entry = { id: string; name: string; group?: boolean; group_id?: string | null; [field: string]: unknown };

/** The fields of a document that a page here holds, in an order that does not depend on groups. */
const heldOf = (document: Documents) => {
  const listOf = (name: string) =>
    (document[name] ?? []) as (Entry & { components: Entry[]; incident_updates: Entry[] })[];
  const page = document.page as Entry;
  const names = new Map(listOf("components").map(({ id, name }) => [id, name]));
  const affected = (entry: { components: Entry[] }) => entry.components.map(({ id, status }) => [id, status]);
  return {
    page: [page.id, page.name],
    components: listOf("components")
      .filter(({ group }) => !group)
      .map((one) => [one.id, one.name, one.status, one.description, one.created_at, names.get(one.group_id ?? "")])
      .toSorted(),
    incidents: listOf("incidents").map((one) => [
      ...[one.id, one.name, one.impact, one.status === "postmortem" ? "resolved" : one.status],
      ...[one.started_at, one.created_at, one.resolved_at, affected(one)],
      one.incident_updates.map(({ status, display_at }) => [status === "postmortem" ? "resolved" : status, display_at]),
    ]),
    maintenances: listOf("scheduled_maintenances")
      .map((one) => [one.name, one.status, one.scheduled_until, affected(one)])
      .toSorted(),
  };
};

it("a foreign page becomes a page with its components and incidents, once, and its JSON is the same here", async () => {
  const { app, alice, importerOf } = await start();
  const { preview, apply } = importerOf(alice);
  const url = serve(GITHUB);
  const { status, body } = await preview({ source: "statuspage", url: `${url}/` });
  expect(status).toBe(200);
  expect(body.items.map(({ part, name, outcome }: Entry) => [part, name, outcome])).toEqual([
    ["pages", "Code Host", "change"],
    ["incidents", "Incident with Actions", "take"],
    ["incidents", "Delays of Pages", "take"],
  ]);
  expect([await app.db.$count(statusPages), await app.db.$count(incidents)]).toEqual([0, 0]);

  const applied = await apply(body.id);
  expect(applied.body.counts).toEqual({ take: 2, change: 1, paused: 0, skip: 0, exists: 0 });
  expect(applied.body.items.every(({ target_id }) => target_id !== null)).toBe(true);
  for (const name of ["summary", "incidents"] as const)
    expect(heldOf(await documentOf(app, "code-host", name))).toEqual(heldOf(GITHUB[name]));
  const { incident_updates } = (await documentOf(app, "code-host", "summary")).incidents[0];
  expect(incident_updates[0].body).toBe("A fix is on its way.\nSee [this](https://example.com/a) & wait.");
  expect((await documentOf(app, "code-host", "status")).status).toEqual(GITHUB.summary.status);
  // The keys of Statuspage have digits.
  const { status: found } = await app.anybody.get("/api/status/incidents/k3r9x0h2v7mq?page=code-host");
  expect([found, statusIncident("/status/code-host/incidents/k3r9x0h2v7mq")?.key]).toEqual([200, "k3r9x0h2v7mq"]);

  const again = await apply((await preview({ source: "statuspage", url: `${url}/api/v2/summary.json` })).body.id);
  expect(again.body.counts).toEqual({ take: 0, change: 0, paused: 0, skip: 0, exists: 3 });
  expect(again.body.items.flatMap(({ notes }) => notes)).toEqual([]);
  expect([await app.db.$count(statusPages), await app.db.$count(incidents)]).toEqual([1, 2]);
});

it("groups and maintenance come along: a component in maintenance has a tag, and is well afterwards", async () => {
  const { app, alice, importerOf } = await start();
  const { upload, preview, apply } = importerOf(alice);
  const { body } = await preview({ source: "statuspage", url: serve(SENDGRID) });
  const applied = await apply(body.id);
  expect(applied.body.items.map(({ name, outcome }) => [name, outcome])).toEqual([
    ["Mail Service", "change"],
    ["Upgrade of SMTP", "take"],
    ["Move of mail", "take"],
    ["Old upgrade", "skip"],
  ]);
  const summary = await documentOf(app, "mail-service", "summary");
  expect(heldOf(summary)).toEqual(heldOf(SENDGRID.summary));
  expect(summary.components.map(({ name }: Entry) => name)).toEqual([
    ...["Mail", "Mail Send", "SMTP", "Web", "SMTP", "Support"],
  ]);
  const windows = await app.db.select().from(maintenanceWindows);
  expect(windows.map(({ targets }) => targets.tags).toSorted()).toEqual([["status:Mail Send"], ["status:SMTP"]]);
  const { maintenance } = await readStatusData(app, "mail-service");
  expect(maintenance.map(({ title, components = [] }) => [title, components.length])).toEqual([
    ["Move of mail", 1],
    ["Upgrade of SMTP", 1],
  ]);
  // The saved summary is the same page.
  expect((await apply((await upload(SENDGRID.summary)).body.id)).body.counts).toMatchObject({ take: 0, exists: 3 });
  app.clock.advance(3 * 3_600_000);
  const later = await documentOf(app, "mail-service", "components");
  expect(later.components.find(({ name }: Entry) => name === "Mail Send").status).toBe("operational");
});

it("a summary that lies is taken as far as it is valid", async () => {
  const { app, alice, importerOf } = await start();
  const { upload, apply } = importerOf(alice);
  const { status, body } = await upload(lyingSummary());
  expect(status).toBe(200);
  const applied = await apply(body.id);
  const outcomes = new Map(applied.body.items.map(({ path, outcome }) => [path, outcome]));
  expect(Object.fromEntries(outcomes)).toMatchObject({
    ...{ "page:kctbh9vrtdwd": "change", "incident:future": "take", "incident:past": "take", "incident:twice": "take" },
    ...{ "incident:empty": "skip", "incident:unnamed": "skip", "incident:no-list": "skip", "incident:long": "skip" },
    ...{ "maintenance:backwards": "skip", "maintenance:no-time": "skip", "maintenance:for-ever": "skip" },
    ...{ "maintenance:month": "skip", "maintenance:of-nothing": "skip" },
  });
  const notes = applied.body.items[0]?.notes.map(({ code, detail }) => [code, detail]);
  expect(notes).toEqual([
    ["components_fixed", ""],
    ["components_left_out", "9503"],
  ]);
  const [page] = await app.db.select().from(statusPages);
  expect(page).toMatchObject({ title: "<b>Liar</b>", slug: "b-liar-b" });
  const components = await app.db.select().from(pageComponents);
  expect(components.length).toBe(500);
  expect(
    components
      .filter(({ name }) => /^(First|Second|In )/.test(name ?? ""))
      .map((one) => [one.name, one.groupName, one.fixedStatus]),
  ).toEqual(
    expect.arrayContaining([
      ["Second", "", "operational"],
      ["In A", "Group A", "operational"],
      ["In none", "", "operational"],
    ]),
  );
  for (const { startedAt } of await app.db.select().from(incidents))
    expect(startedAt >= 0 && startedAt <= app.clock.now()).toBe(true);
});

it("an address is read as the checks of its owner are, and what is no Statuspage is refused with the reason", async () => {
  const { alice, bob, importerOf } = await start();
  const { preview } = importerOf(alice);
  const reasonOf = async (url: string, user = preview) => {
    const { status, body } = await user({ source: "statuspage", url });
    return [status, body.code, body.message];
  };
  const messageOf = async (url: string, user = preview) => String((await reasonOf(url, user))[2]);
  expect(await messageOf(serve(GITHUB), importerOf(bob).preview)).toContain("its address may not be reached");
  expect((await reasonOf(serve({}))).slice(0, 2)).toEqual([422, "import_refused"]);
  expect(await messageOf(serve({}))).toContain("there is no /api/v2/summary.json below it");
  const html = new Response("<html></html>", { headers: { "content-type": "text/html" } });
  expect(await messageOf(serve({}, () => html.clone()))).toContain("its answer is no JSON");
  expect(await messageOf(serve({}, () => new Response("", { status: 500 })))).toContain("the status 500");
  const loop = serve({}, (path) => Response.redirect(path, 302));
  expect(await messageOf(loop)).toContain("it redirects too often");
  expect(await messageOf(serve({}, () => Response.redirect("file:///etc/passwd", 302)))).toContain("redirects");
  expect(await messageOf("http://127.0.0.1:1")).toContain("it can't be reached");
  expect(await messageOf(serve({ summary: { page: {} } }))).toContain("it names no page");
  const huge = serve({}, () => new Response(`{"page":{"id":"a","name":"${"x".repeat(33 * 1024 ** 2)}"}}`));
  expect(await messageOf(huge)).toContain("more objects than an import reads");
  for (const url of ["ftp://example.com", "https://user:secret@example.com", "http://", "a b"])
    expect([url, (await reasonOf(url))[0]]).toEqual([url, 422]);
  expect((await preview({ source: "statuspage" })).body.errors[0].path).toBe("url");
});
