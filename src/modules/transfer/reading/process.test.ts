import { Database } from "bun:sqlite";
import { expect, it } from "bun:test";
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { readConfig } from "../../../core/config";
import { beatTime, createKuma, SHOP } from "../../../testing/fixtures/imports/kuma";
import type { Upload } from "../sources/source";
import { readDraftOf, readHistoryOf, readInProcess } from "./process";

const deps = { config: readConfig({ NODE_ENV: "test" }), clock: { now: () => 0 } as never };
const uploadOf = (file: string): Upload => ({ file, size: Bun.file(file).size, hasWal: false });
const BEAT = { monitor_id: 2, status: 1, important: 1, msg: "", ping: 10, time: beatTime(0) };

/** The levels of a table, which SQLite bounds, and the references of a page to the next level: 61 ^ 18 rows in 19 pages. */
const [LEVELS, CHILDREN] = [18, 60];

/** Makes the pages of a table refer to each other, so that its one row is found more often than any query could count. */
const repeatForEver = (file: string, table: string): void => {
  const database = new Database(file);
  const [{ page_size: size = 0 } = {}] = database.query<{ page_size: number }, []>("pragma page_size").all();
  const { rootpage: root = 0 } =
    database.query<{ rootpage: number }, [string]>("select rootpage from sqlite_master where name = ?").get(table) ??
    {};
  // The pages of this table become the levels.
  database.run("create table filler (value blob)");
  database.run(`insert into filler values (zeroblob(${size * (LEVELS + 4)}))`);
  const [{ page_count: last = 0 } = {}] = database.query<{ page_count: number }, []>("pragma page_count").all();
  database.close();
  const handle = openSync(file, "r+");
  const at = (page: number) => (page - 1) * size;
  const leaf = Buffer.alloc(size);
  readSync(handle, leaf, 0, size, at(root));
  writeSync(handle, leaf, 0, size, at(last));
  const pages = [root, ...Array.from({ length: LEVELS - 1 }, (_, level) => last - LEVELS + 1 + level)];
  for (const [level, page] of pages.entries()) {
    const next = pages[level + 1] ?? last;
    const content = Buffer.alloc(size);
    content[0] = 5;
    content.writeUInt16BE(CHILDREN, 3);
    content.writeUInt16BE(size - CHILDREN * 5, 5);
    content.writeUInt32BE(next, 8);
    for (let cell = 0; cell < CHILDREN; cell++) {
      const start = size - (cell + 1) * 5;
      content.writeUInt16BE(start, 12 + cell * 2);
      content.writeUInt32BE(next, start);
      content[start + 4] = 1;
    }
    writeSync(handle, content, 0, size, at(page));
  }
  closeSync(handle);
};

it("a database whose pages refer to each other is given up after the time limit", async () => {
  const file = createKuma(1, { ...SHOP, heartbeat: [BEAT] });
  repeatForEver(file, "heartbeat");
  const read = async () => {
    for await (const _ of readInProcess({ of: "history", source: "kuma", upload: uploadOf(file), ids: [2] }, 3000));
  };
  await expect(read()).rejects.toThrow("reading it takes too long");
});

it("a draft and a history are read by another process as by this one", async () => {
  const upload = uploadOf(createKuma(1, { ...SHOP, heartbeat: [BEAT, { ...BEAT, time: beatTime(60_000) }] }));
  const draft = await readDraftOf(deps, upload);
  expect(draft.items.map(({ externalId }) => externalId)).toContain("monitor:2");
  const parts = await Array.fromAsync(readHistoryOf("kuma", upload, [2]));
  expect(parts.flatMap(({ days = [] }) => days)).toMatchObject([{ id: 2, bucket: 0, up: 2, answered: 2 }]);
});
