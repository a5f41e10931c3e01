import { describe, expect, it } from "bun:test";
import { SQL } from "bun";
import { processDialect } from "../../core/config";
import { fillEveryTable, newAddress, newFile, newMigratedFile, readEveryTable } from "../../testing/db/move";
import { migrationTimes } from "../migrate";
import { openSqliteFile } from "../sqlite/file";
import { assertCurrent, moveData, openStore, type Progress } from "./move";
import type { Store } from "./store";
import { tables } from "./store";

const quietly: Progress = () => {};

/** Opens both sides for one move. `through` wraps the target. */
const move = async (from: string, to: string, { onProgress = quietly, through = (target: Store) => target } = {}) => {
  const [source, target] = [openStore(from, "source"), openStore(to, "target")];
  try {
    return await moveData(source, through(target), onProgress);
  } finally {
    await source.close();
    await target.close();
  }
};

const markOf = async (address: string): Promise<string | null> => {
  const store = openStore(address, "target");
  return store.readMark().finally(store.close);
};

/** A file with rows in every table. */
const createOneOfEached = async (count = 12): Promise<string> => {
  const file = await newMigratedFile();
  fillEveryTable(file, count);
  return file;
};

/** A target that throws at its nth write. */
const dyingAt =
  (turn: number) =>
  (store: Store): Store => {
    let writes = 0;
    return {
      ...store,
      write: (...what) => {
        writes++;
        if (writes === turn) throw new Error("killed");
        return store.write(...what);
      },
    };
  };

/** The id that the engine generates for the next row of a table. */
const nextId = async (address: string, table: string): Promise<number> => {
  if (processDialect === "sqlite") {
    const client = openSqliteFile(address.replace("sqlite:", ""));
    const row = client.query<{ seq: number }, [string]>("select seq from sqlite_sequence where name = ?").get(table);
    client.close();
    return (row?.seq ?? 0) + 1;
  }
  const client = new SQL({ url: address, max: 1 });
  const [row] = await client`select nextval(pg_get_serial_sequence(${table}, 'id')) as id`;
  await client.close();
  return Number(row.id);
};

describe("a move there and back", () => {
  it("copies every value of every table, including extreme ones", async () => {
    const file = await createOneOfEached();
    const [there, back] = [await newAddress(), newFile()];
    const progress: string[] = [];
    const { rows, copied, resumed } = await move(`sqlite:${file}`, there, {
      onProgress: (step, table, done, total) => void progress.push(`${step} ${table} ${done}/${total}`),
    });
    expect({ rows, copied, resumed }).toEqual({ rows: 12 * tables.length, copied: 12 * tables.length, resumed: false });
    for (const { name } of tables)
      for (const step of ["copy", "compare"]) expect(progress).toContain(`${step} ${name} 12/12`);
    await move(there, `sqlite:${back}`);
    const [before, after] = [readEveryTable(file), readEveryTable(back)];
    for (const { name } of tables) {
      expect(before[name]?.length).toBe(12);
      expect([name, after[name]]).toEqual([name, before[name] ?? []]);
    }
  });

  it("never reuses an id, not even that of a deleted row", async () => {
    const file = await createOneOfEached();
    const client = openSqliteFile(file);
    client.exec("pragma foreign_keys = on; delete from monitors where id > 5; delete from api_keys");
    client.close();
    const there = await newAddress();
    await move(`sqlite:${file}`, there);
    for (const table of ["users", "monitors", "api_keys"])
      expect([table, await nextId(there, table)]).toEqual([table, 13]);
  });

  it("copies more rows than fit in one batch", async () => {
    const file = await newMigratedFile();
    const client = openSqliteFile(file);
    client.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 12345)
      insert into check_blocks select i / 100, i % 100, randomblob(i % 50) from n`);
    client.close();
    const there = await newAddress();
    expect((await move(`sqlite:${file}`, there)).rows).toBe(12_345);
  });
});

describe("an interrupted move", () => {
  it("resumes where it was interrupted, at any point", async () => {
    const file = await createOneOfEached(3);
    const there = await newAddress();
    let runs = 0;
    for (let done = false; !done; runs++) {
      // Each run completes three writes and fails at the fourth.
      done = await move(`sqlite:${file}`, there, { through: dyingAt(4) }).then(
        () => true,
        (error: Error) => {
          expect(error.message).toEndWith(": killed");
          return false;
        },
      );
      expect((await markOf(there)) === null).toBe(done);
    }
    expect(runs).toBe(Math.floor((tables.length - 1) / 3) + 1);
    const back = newFile();
    await move(there, `sqlite:${back}`);
    expect(readEveryTable(back)).toEqual(readEveryTable(file));
  });

  it("is not resumed from another source, nor from one that a hub used since", async () => {
    const [file, other] = [await createOneOfEached(3), await createOneOfEached(4)];
    const there = await newAddress();
    await expect(move(`sqlite:${file}`, there, { through: dyingAt(5) })).rejects.toThrow("killed");
    await expect(move(`sqlite:${other}`, there)).rejects.toThrow("holds an unfinished move of another source");
    const client = openSqliteFile(file);
    client.exec("update monitors set name = 'renamed' where id = 1");
    client.close();
    await expect(move(`sqlite:${file}`, there)).rejects.toThrow("was changed since it began");
    await expect(move(there, `sqlite:${newFile()}`)).rejects.toThrow("is itself only half moved");
  });
});

describe("a move is refused", () => {
  it("into a database that is not empty", async () => {
    const file = await createOneOfEached(3);
    const there = await newAddress();
    await move(`sqlite:${file}`, there);
    await expect(move(`sqlite:${file}`, there)).rejects.toThrow("holds data already (teams, users, agents,");
  });

  it("when the copied rows differ", async () => {
    const file = await createOneOfEached(3);
    const there = await newAddress();
    const forgetful = (target: Store): Store => ({
      ...target,
      write: (table, rows, mark) => target.write(table, table.name === "channel_follows" ? rows.slice(1) : rows, mark),
    });
    const short = move(`sqlite:${file}`, there, { through: forgetful });
    await expect(short).rejects.toThrow("channel_follows: 2 rows arrived of 3");
    expect(await markOf(there)).not.toBeNull();

    const careless = (target: Store): Store => ({
      ...target,
      write: (table, rows, mark) => {
        const name = table.columns.findIndex((column) => column.name === "problem_code");
        return target.write(table, name < 0 ? rows : rows.map((row) => row.with(name, "another")), mark);
      },
    });
    const wrong = move(`sqlite:${file}`, `sqlite:${newFile()}`, { through: careless });
    await expect(wrong).rejects.toThrow("channels: some rows arrived changed");
  });

  it("into a target that lacks the mark of a move, also when it ended right after the tables were created", async () => {
    const [file, target] = [await createOneOfEached(), await newAddress()];
    const dying = (store: Store): Store => ({
      ...store,
      readMark: () => {
        throw new Error("killed");
      },
    });
    await expect(move(`sqlite:${file}`, target, { through: dying })).rejects.toThrow("killed");
    expect(JSON.parse((await markOf(target)) ?? "{}")).toMatchObject({ reached: {} });
    await move(`sqlite:${file}`, target);
    expect(await markOf(target)).toBeNull();
  });

  it("from a foreign database or one of another version", async () => {
    const file = await createOneOfEached(1);
    const change = (text: string) => {
      const client = openSqliteFile(file);
      client.exec(text);
      client.close();
    };
    const check = async (known?: number[]) => {
      const store = openStore(`sqlite:${file}`, "source");
      return assertCurrent(store, known).finally(store.close);
    };
    await check();
    await expect(check([...migrationTimes("sqlite"), 9999999999999])).rejects.toThrow("by an older version");
    change("insert into __drizzle_migrations (hash, created_at) values ('x', 9999999999999)");
    await expect(check()).rejects.toThrow("by a newer version");
    change("drop table __drizzle_migrations");
    await expect(check()).rejects.toThrow("is not a database of Wakeful's");
    await Bun.write(file, "no database".repeat(100));
    await expect(check()).rejects.toThrow("is no SQLite database");
    expect(() => openStore("sqlite:/nowhere/wakeful.db", "source")).toThrow("there is no file");
    for (const address of ["mysql://a/b", "wakeful.db", "sqlite:", "postgres://[", ""])
      expect(() => openStore(address, "target")).toThrow("--to is not usable");
  });

  it("from a file that another process has open, and locks the file while it runs", async () => {
    const file = await newMigratedFile();
    const other = openSqliteFile(file);
    other.exec("pragma journal_mode = wal; select count(*) from users");
    expect(() => openStore(`sqlite:${file}`, "source")).toThrow("is open in another program");
    other.close();
    const store = openStore(`sqlite:${file}`, "source");
    const late = openSqliteFile(file);
    late.exec("pragma busy_timeout = 0");
    expect(() => late.exec("pragma journal_mode = wal; insert into app_settings values ('a', 'b')")).toThrow("locked");
    late.close();
    await store.close();
  });

  it("for values that the target can't store unchanged", async () => {
    for (const [column, value, complaint] of [
      ["interval", "12.5", "12.5 stands where a whole number belongs"],
      ["updated_at", "9007199254740993", "stands where a whole number belongs"],
    ]) {
      const file = await createOneOfEached(2);
      const client = openSqliteFile(file);
      client.exec(`update monitors set ${column} = ${value}`);
      client.close();
      await expect(move(`sqlite:${file}`, `sqlite:${newFile()}`)).rejects.toThrow(complaint);
    }
  });
});
