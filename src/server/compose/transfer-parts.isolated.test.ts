import { beforeAll, expect, it } from "bun:test";
import { like } from "drizzle-orm";
import { t } from "elysia";
import { insertMany } from "../../db/insert-many";
import { appSettings } from "../../db/schema";
import { atMost, definePart, type Exporting, fileId, note, type TransferPart } from "../../modules/transfer/part";
import type { TestUser } from "../../testing/fixtures/people";
import { id, list, object, text } from "../answers";
import { field } from "../schema";
import { parts } from "./transfer-parts";

const readBookmarks = async ({ deps, owner }: Pick<Exporting, "deps" | "owner">) => {
  const prefix = `bookmark ${owner.id} `;
  const rows = await deps.db
    .select()
    .from(appSettings)
    .where(like(appSettings.key, `${prefix}%`));
  return rows.map(({ key, value }) => ({ title: key.slice(prefix.length), monitor: Number(value) }));
};

/** A part that exists in this test only: bookmarks of monitors with titles. */
const bookmarksPart = definePart({
  key: "bookmarks",
  counted: "bookmarks",
  needsScope: "channels",
  sent: field(t.Array(t.Object({ title: t.String({ maxLength: 20 }), monitor: fileId }), atMost(5)), "Your bookmarks."),
  exported: list(object({ title: text("Its title.", "shop"), monitor: id("The monitor's id in the file.") })),
  async *export(context) {
    yield* await readBookmarks(context);
  },
  parse: (sent, refuse) =>
    sent.map(({ title, monitor }, index) => {
      if (title.trim() === "") refuse(`${index}.title`, "expected a title");
      return { title: title.trim(), monitor };
    }),
  references: (bookmark, { field }) => field(bookmark, "monitor", "monitors"),
  import: async (sent, context) => {
    const own = new Set((await readBookmarks(context)).map(({ title }) => title));
    const added = sent.filter(({ title }) => !own.has(title));
    const rows = added.map(({ title, monitor }) => ({
      key: `bookmark ${context.owner.id} ${title}`,
      value: String(monitor),
    }));
    await insertMany(context.deps.db, appSettings, rows);
    return {
      created: added.length,
      notes: () => (added.length < sent.length ? [note("kept", "bookmarks", "yours stay as they are")] : []),
    };
  },
});

// The app reads the registry when it is created.
let createTestApp: typeof import("../../testing/app").createTestApp;
beforeAll(async () => {
  (parts as TransferPart[]).push(bookmarksPart);
  ({ createTestApp } = await import("../../testing/app"));
});

const MONITOR = { name: "shop", url: "http://127.0.0.1:9/", interval: 60, active: false };

const setUp = async () => {
  const app = await createTestApp();
  const { bob, charlie } = await app.people();
  const send = async (user: TestUser, file: unknown) => {
    const { status, text: answer } = await app.as(user).post("/api/import", file);
    return { status, body: JSON.parse(answer) };
  };
  const download = async (user: TestUser) => JSON.parse((await app.as(user).get("/api/export")).text);
  const { id: shop } = (await app.as(bob).post("/api/monitors", MONITOR)).body.monitor;
  await app.db.insert(appSettings).values({ key: `bookmark ${bob.id} my shop`, value: String(shop) });
  return { app, bob, charlie, send, download, shop };
};

it("a part in the registry is exported, imported once with its references, counted and documented", async () => {
  const { app, bob, charlie, send, download, shop } = await setUp();
  const file = await download(bob);
  expect(Object.keys(file).at(-1)).toBe("bookmarks");
  expect(file.bookmarks).toEqual([{ title: "my shop", monitor: shop }]);

  const first = await send(charlie, file);
  expect(first.body).toMatchObject({ created: { monitors: 1, bookmarks: 1 }, skipped: { bookmarks: 0 }, notes: [] });
  const theirs = await download(charlie);
  expect(theirs.bookmarks).toEqual([{ title: "my shop", monitor: theirs.monitors[0].id }]);
  expect(theirs.monitors[0].id).not.toBe(shop);

  const second = await send(charlie, file);
  expect(second.body).toMatchObject({ created: { bookmarks: 0 }, skipped: { monitors: 1, bookmarks: 1 } });
  expect(second.body.notes).toEqual([
    { path: "bookmarks", code: "kept", message: "bookmarks: yours stay as they are" },
  ]);
  const document = (await app.anybody.get("/api/openapi.json")).text;
  for (const words of ["Your bookmarks.", "How many were created: bookmarks."]) expect(document).toContain(words);
});

it("a part in the registry is validated by its schema, its items and its references", async () => {
  const { bob, charlie, send, download } = await setUp();
  const file = await download(bob);
  const errorsOf = async (bookmarks: unknown) => {
    const { status, body } = await send(charlie, { ...file, bookmarks });
    return [status, body.errors.map(({ message }: { message: string }) => message)];
  };
  expect(await errorsOf(Array(6).fill(file.bookmarks[0]))).toEqual([422, ["bookmarks: expected a list of at most 5"]]);
  expect(await errorsOf([{ title: " ", monitor: 99 }])).toEqual([
    422,
    ["bookmarks.0.title: expected a title", "bookmarks.0.monitor: there is no 99 among the file's monitors"],
  ]);
  expect((await download(charlie)).monitors).toEqual([]);
});

it("a part that needs a session is not imported with an API key", async () => {
  const { app, bob, send, download } = await setUp();
  const file = await download(bob);
  const { key } = (await app.as(bob).post("/api/keys", { name: "copies", scope: "full" })).body;
  const withKey = { ...bob, token: key ?? "" };
  expect(await send(withKey, file)).toMatchObject({ status: 403, body: { code: "session_required" } });
  expect((await send(withKey, { ...file, bookmarks: [] })).status).toBe(200);
});
