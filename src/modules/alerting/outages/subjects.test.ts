import { expect, it } from "bun:test";
import { sql } from "drizzle-orm";
import { withValues } from "../../../db/sql";
import { START } from "../../../testing/clock";
import { createAlertApp, readEvents } from "../../../testing/fixtures/alerts";
import { writeEventsBySubject } from "../events";
import { closeOutages, closeOutagesBySubject, openOutagesBySubject } from "./statements";

const setUp = async () => {
  const { app, bob } = await createAlertApp();
  const [{ id: userId = 0 } = {}] = await app.db.rows<{ id: number }>(sql`select id from users where username = 'bob'`);
  const open = (subject: string, state: string, at: number) =>
    app.db.atomically(() => [
      openOutagesBySubject(
        sql`select cast(${userId} as bigint), 'agent', cast(7 as bigint), 'container', v.subject, v.facts, v.at from v where true`,
        withValues("v", { subject: "text", facts: "json", at: "bigint" }, [[subject, { state }, at]]),
      ),
    ]);
  const close = (subject: string, at: number) =>
    app.db.atomically(() => [
      closeOutagesBySubject(
        sql`select 'agent' as target_type, cast(7 as bigint) as target_id, 'container' as kind, cast(${subject} as text) as subject,
          cast(${at} as bigint) as ended_at`,
      ),
    ]);
  const read = async () => {
    const { body } = await app.as(bob).get("/api/outages");
    return body.outages.map((one) => [one.subject, one.ended_at !== null, one.facts]);
  };
  return { app, userId, open, close, read };
};

it("outages of parts of one server are opened and ended by themselves, with their latest facts", async () => {
  const { app, open, close, read } = await setUp();
  await open("nginx", "exited", START);
  await open("redis", "unhealthy", START);
  await open("nginx", "restarting", START + 1000);
  await app.db.atomically(() => [
    closeOutages(
      sql`select 'agent' as target_type, cast(7 as bigint) as target_id, 'container' as kind, cast(${START} as bigint) as ended_at`,
    ),
  ]);
  expect(await read()).toEqual([
    ["redis", false, { state: "unhealthy" }],
    ["nginx", false, { state: "restarting" }],
  ]);
  await close("nginx", START + 2000);
  await open("nginx", "dead", START + 3000);
  expect(await read()).toEqual([
    ["nginx", false, { state: "dead" }],
    ["redis", false, { state: "unhealthy" }],
    ["nginx", true, { state: "restarting" }],
  ]);
});

it("events of one time about different parts are all stored, and a repeated one is not", async () => {
  const { app, userId } = await setUp();
  const write = (subject: string) =>
    app.db.atomically(() => [
      writeEventsBySubject(sql`select cast(${userId} as bigint), 'container_failed', 'agent', cast(7 as bigint), 'web-1',
        cast(${subject} as text), cast(null as jsonb), cast(${START} as bigint), cast(null as bigint),
        cast(null as double precision), cast(null as double precision), cast(null as text) where true`),
    ]);
  for (const subject of ["nginx", "redis", "nginx"]) await write(subject);
  expect((await readEvents(app)).map(({ subject }) => subject)).toEqual(["nginx", "redis"]);
});
