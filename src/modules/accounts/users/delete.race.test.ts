import { describe, expect, it } from "bun:test";
import { eq, type SQL, sql } from "drizzle-orm";
import { processDialect } from "../../../core/config";
import { checkBlocks, monitorStates, monitors, users } from "../../../db/schema";
import { createTestApp, type TestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { addMonitor, countHistory } from "../../../testing/fixtures/monitors";
import { inTransaction, untilWaiting } from "../../../testing/fixtures/session";
import { checkBlock } from "../../monitors/history/block";
import { purgeDeletedHistory } from "../teams/purge";
import { deleteUser } from "./service";

const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  return { app, alice, bob, shop: await addMonitor(app, bob, { url: "https://shop.example/" }) };
};

/** Deletes a user during another open transaction. */
const deleteDuring = async (app: TestApp, id: number, begun: SQL[], ended: SQL[] = []): Promise<void> => {
  let deleting = Promise.resolve();
  await inTransaction(app.db, async (run) => {
    for (const statement of begun) await run(statement);
    deleting = deleteUser(app.deps, id);
    await untilWaiting(app.db);
    for (const statement of ended) await run(statement);
  });
  return deleting;
};

describe.if(processDialect === "postgres")("deleting a user on PostgreSQL", () => {
  it("waits for a result that is being written, and deletes it", async () => {
    const { app, bob, shop } = await setUp();
    const hour = Math.floor(START / 3_600_000);
    await deleteDuring(
      app,
      bob.id,
      [sql`select 1 from monitor_states where monitor_id = ${shop} for update`],
      [
        sql`insert into check_blocks (hour, monitor_id, data) values (${hour}, ${shop}, ${Buffer.from(checkBlock.encode(hour, []))})`,
        // The event references the user, and must not wait for the deletion, which waits for the monitor.
        sql`insert into events (user_id, team_id, kind, target_type, target_id, target_name, at)
          values (${bob.id}, ${bob.teamId}, 'down', 'monitor', ${shop}, 'shop', ${START})`,
      ],
    );
    await purgeDeletedHistory(app.deps);
    expect(await countHistory(app, shop)).toEqual({ checks: 0, hours: 0, days: 0 });
    expect(await app.db.$count(checkBlocks)).toBe(0);
  });

  it("waits for a monitor that is being created, and deletes it", async () => {
    const { app, bob } = await setUp();
    const made = sql`insert into monitors (user_id, team_id, name, kind, target, config, payload, interval, timeout, retries, active, created_at, updated_at)
      values (${bob.id}, ${bob.teamId}, 'late', 'http', 'https://late.example/', '{}', '{}', 60, 30, 0, true, ${START}, ${START})`;
    await deleteDuring(app, bob.id, [made]);
    expect([await app.db.$count(monitors), await app.db.$count(monitorStates)]).toEqual([0, 0]);
  });

  it("is refused for an administrator who has just become the last one", async () => {
    const { app, alice, bob, shop } = await setUp();
    await app.db.update(users).set({ role: "admin" }).where(eq(users.id, bob.id));
    const demoted = [sql`update users set role = 'user' where id = ${alice.id}`];
    await expect(deleteDuring(app, bob.id, demoted)).rejects.toMatchObject({ code: "last_admin" });
    expect(await app.db.$count(monitorStates, eq(monitorStates.monitorId, shop))).toBe(1);
    expect(await app.db.$count(users)).toBe(3);
  });
});

it("one of many administrators who delete each other concurrently is left, without rows of the others", async () => {
  const { app, alice, bob } = await setUp();
  await app.db.update(users).set({ role: "admin" });
  const everybody = await app.db.select({ id: users.id }).from(users);
  const deletions = everybody.map(({ id }) => deleteUser(app.deps, id));
  const outcomes = (await Promise.allSettled(deletions)).map(({ status }) => status === "fulfilled");
  expect(outcomes.filter(Boolean)).toHaveLength(everybody.length - 1);
  const [left, ...others] = await app.db.select().from(users);
  expect([left?.role, others]).toEqual(["admin", []]);
  const stays = left?.id === bob.id ? 1 : 0;
  expect([await app.db.$count(monitors), await app.db.$count(monitorStates)]).toEqual([stays, stays]);
  expect(everybody.map(({ id }) => id)).toContain(alice.id);
});
