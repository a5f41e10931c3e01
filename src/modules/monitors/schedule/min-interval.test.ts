import { describe, expect, it } from "bun:test";
import { createTestApp } from "../../../testing/app";

const MONITORS = "/api/monitors";
const PAUSED = { name: "shop", url: "https://shop.example/", interval: 60, active: false };

const setUp = async (env = {}) => {
  const app = await createTestApp({ env });
  const { bob } = await app.people();
  const client = app.as(bob);
  return { app, bob, client, create: (body: Record<string, unknown>) => client.post(MONITORS, { ...PAUSED, ...body }) };
};

describe("MIN_INTERVAL", () => {
  const atLeast = (path: string, shortest: number) => ({
    status: 422,
    body: { errors: [{ path, message: `${path}: expected a whole number from ${shortest} to 86400 seconds` }] },
  });

  it("is a minute by default, for a new monitor, an edited one, many at once, and those of a file", async () => {
    const { client, create } = await setUp();
    expect(await create({ interval: 59, timeout: 5 })).toMatchObject(atLeast("interval", 60));
    const { id } = (await create({})).body.monitor;
    expect(await client.put(`${MONITORS}/${id}`, { ...PAUSED, interval: 59 })).toMatchObject(atLeast("interval", 60));
    const many = { ids: [id], set: { interval: 59 } };
    expect(await client.post(`${MONITORS}/bulk`, many)).toMatchObject(atLeast("set.interval", 60));
    const file = { version: 1, monitors: [{ ...PAUSED, interval: 59, timeout: 5 }] };
    expect(await client.post("/api/import", file)).toMatchObject({ status: 422 });
  });

  it("allows shorter intervals where it is set, which stay when it is raised", async () => {
    const { app, bob, create } = await setUp({ MIN_INTERVAL: "10" });
    const short = { ...PAUSED, interval: 10, timeout: 5, retries: 0 };
    const { status, body } = await create(short);
    expect([status, body.monitor.interval]).toEqual([201, 10]);
    expect(await create({ ...short, interval: 9 })).toMatchObject({ status: 422 });

    const raised = (await createTestApp({ db: app.db, clock: app.clock })).as(bob);
    const path = `${MONITORS}/${body.monitor.id}`;
    expect((await raised.put(path, { ...short, name: "renamed" })).body.monitor).toMatchObject({ interval: 10 });
    expect(await raised.put(path, { ...short, interval: 11 })).toMatchObject(atLeast("interval", 60));
  });
});
