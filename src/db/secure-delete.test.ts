import { expect, it } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { processDialect, readConfig } from "../core/config";
import { openDatabase } from "./open";
import { appSettings } from "./schema";

it.skipIf(processDialect === "postgres")(
  "a deleted value is not in the files of a stopped hub, whatever its length",
  async () => {
    const directory = mkdtempSync(join(tmpdir(), "deleted-"));
    const held = () =>
      readdirSync(directory).filter((name) => readFileSync(join(directory, name)).includes("ZZSECRETZZ"));
    const open = () => openDatabase(readConfig({ DATA_DIR: directory }));
    try {
      const db = await open();
      for (const [key, length] of [
        ["short", 1],
        ["long", 2000],
      ] as const)
        await db.insert(appSettings).values({ key, value: "ZZSECRETZZ".repeat(length) });
      await db.close();
      expect(held()).toEqual(["wakeful.db"]);
      const again = await open();
      for (const key of ["short", "long"]) await again.delete(appSettings).where(eq(appSettings.key, key));
      await again.close();
      expect(held()).toEqual([]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
);
