import { expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { agents } from "../../../db/schema";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { enrollAgent, rollUpSamples, sampleAt } from "../../../testing/fixtures/agents";
import { PASSWORD } from "../../../testing/fixtures/people";
import { MOST_SERIES } from "./further";
import { freeUnusedSeries } from "./series-names";

/** A server with 200 series; all except `rx:eth0` and `tx:eth0` come and go. */
const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  const report = async (names: readonly string[], rx = 1) => {
    await app.clock.advance(MINUTE);
    const interfaces = ["eth0", ...names].map((name) => ({ name, rx, tx: 1 }));
    expect((await agent.report([sampleAt(app.clock.now(), { interfaces })])).status).toBe(200);
  };
  // A session ends before names are freed.
  const signIn = async () => {
    const { body } = await app.anybody.post("/api/auth/login", { username: "bob", password: PASSWORD });
    return app.as({ ...bob, token: body.token });
  };
  const detail = async () => (await (await signIn()).get(`/api/agents/${agent.id}`)).body.agent;
  const valuesOf = async (...series: string[]) => {
    const query = series.map((name) => `series=${encodeURIComponent(name)}`).join("&");
    const { body } = await (await signIn()).get(`/api/agents/${agent.id}/metrics?range=30d&${query}`);
    return body.series.map(({ points }) => points.map(({ value }) => value));
  };
  const namesOf = async () => {
    const [row] = await app.db.select({ series: agents.series }).from(agents).where(eq(agents.id, agent.id));
    return row?.series ?? [];
  };
  const veths = (round: number) => Array.from({ length: 31 }, (_, index) => `veth${round}x${index}`);
  for (let round = 0; round < 4; round++) await report(veths(round));
  return { app, report, detail, valuesOf, namesOf, veths };
};

it("names without a value for 31 days give way to new ones, and no figure appears under another name", async () => {
  const { app, report, detail, valuesOf, namesOf } = await setUp();
  const before = await namesOf();
  expect(before).toHaveLength(MOST_SERIES);
  app.clock.set(app.clock.now() + 20 * DAY);
  await report(["veth0x0"], 4);
  await rollUpSamples(app, "now");
  await freeUnusedSeries(app.deps);
  expect(await namesOf()).toEqual(before);

  app.clock.set(app.clock.now() + 11 * DAY);
  await report(["br-new"], 7);
  expect((await detail()).unrecorded).toEqual(["rx:br-new", "tx:br-new"]);
  await freeUnusedSeries(app.deps);
  // A report that was read before the names were freed is stored by the next time.
  await report(["br-new"], 7);
  await freeUnusedSeries(app.deps);
  expect((await detail()).series).toEqual(["rx:eth0", "tx:eth0", "rx:veth0x0", "tx:veth0x0"]);
  expect((await detail()).unrecorded).toEqual(["rx:br-new", "tx:br-new"]);

  await app.clock.advance(HOUR);
  await freeUnusedSeries(app.deps);
  await report(["br-new"], 9);
  const { series, unrecorded } = await detail();
  expect([series.toSorted(), unrecorded]).toEqual([
    ["rx:br-new", "rx:eth0", "rx:veth0x0", "tx:br-new", "tx:eth0", "tx:veth0x0"],
    [],
  ]);
  expect((await namesOf()).slice(0, 6)).toEqual([
    "rx:eth0",
    "tx:eth0",
    "rx:veth0x0",
    "tx:veth0x0",
    "rx:br-new",
    "tx:br-new",
  ]);
  expect(await namesOf()).toHaveLength(MOST_SERIES);
  const [added, kept, returned] = await valuesOf("rx:br-new", "rx:eth0", "rx:veth0x0");
  expect([added, kept, returned]).toEqual([[9], [4, 7.67], [4]]);
});

it("names stay while a server is away, and while it has few", async () => {
  const { app, namesOf } = await setUp();
  const before = await namesOf();
  app.clock.set(app.clock.now() + 90 * DAY);
  await freeUnusedSeries(app.deps);
  expect(await namesOf()).toEqual(before);
});
