import { describe, expect, it } from "bun:test";
import { sql } from "drizzle-orm";
import { withValues } from "../db/sql";
import { DAY, HOUR } from "../shared/limits";
import { START } from "../testing/clock";
import { histories } from "../testing/fixtures/histories";
import { deleteExpired, purgeRows } from "./retention";
import { idColumn } from "./shape";

const NOW = Math.floor(START / HOUR);

describe.each(histories)("the retention of $name", ({ shape, setUp }) => {
  const blocks = async () => {
    const { app } = await setUp();
    const id = idColumn(shape);
    const add = (rows: { target: number; hour: number }[]) =>
      app.db.rows(
        sql`${withValues(
          "v",
          { target: "bigint", hour: "integer" },
          rows.map(({ target, hour }) => [target, hour]),
        )} insert into ${shape.blocks.table} (${id}, hour, data) select v.target, v.hour, ${Buffer.from([1])} from v`,
      );
    const count = async (target: number): Promise<number> => {
      const [row] = await app.db.rows(sql`select count(*) as n from ${shape.blocks.table} where ${id} = ${target}`);
      return Number(row?.n);
    };
    return { app, add, count };
  };

  it("deletes expired rows in batches, and returns whether more are left", async () => {
    const { app, add, count } = await blocks();
    app.clock.set(START);
    await add(Array.from({ length: 5002 }, (_, index) => ({ target: 1, hour: NOW - 23 - index })));
    const sweep = () => deleteExpired(app.deps, shape, [{ ...shape.blocks, kept: DAY }]);
    expect(await sweep()).toBe(true);
    expect(await count(1)).toBe(2);
    expect(await sweep()).toBe(false);
    expect(await count(1)).toBe(2);
  });

  it("purges the rows of one target since a time, also those of a clock that was ahead", async () => {
    const { app, add, count } = await blocks();
    const hours = [NOW - 6000, NOW - 5999, NOW - 1, NOW, NOW + 24];
    await add([1, 2].flatMap((target) => hours.map((hour) => ({ target, hour }))));
    const tables = [{ ...shape.blocks, since: (NOW - 5999) * HOUR }];
    await app.db.atomically((tx) => purgeRows(tx, shape, tables, { id: 1, now: START }));
    expect([await count(1), await count(2)]).toEqual([1, 5]);
  });
});
