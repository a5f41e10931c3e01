import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { agents } from "../../../db/schema";
import { MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { enrollAgent, sampleAt } from "../../../testing/fixtures/agents";

const setUp = async () => {
  const app = await createTestApp();
  const { bob, charlie } = await app.people();
  const agent = await enrollAgent(app, bob);
  return { app, bob, charlie, agent, id: agent.id };
};

describe("the plan of a server", () => {
  const traffic = { quota: 1e12, reset_day: 15, zone: "Asia/Shanghai", mode: "max" as const, correction: null };
  const contract = { ends_on: "2027-02-28", price: 49.9, currency: "EUR", months: 12, note: "sale" };

  it("is stored, answered, kept by a change of the name, and removed", async () => {
    const { app, bob, id } = await setUp();
    const put = async (body: object) => (await app.as(bob).put(`/api/agents/${id}`, { name: "x", ...body })).body.agent;
    expect((await put({ plan: { traffic, contract } })).plan).toEqual({ traffic, contract });
    expect((await put({})).plan).toEqual({ traffic, contract });
    expect((await app.as(bob).get("/api/agents")).body.agents[0]?.plan).toEqual({ traffic, contract });
    expect((await put({ plan: { contract: { ends_on: "2027-02-28", currency: "EUR" } } })).plan).toEqual({
      traffic: null,
      contract: { ends_on: "2027-02-28", price: null, currency: "", months: 12, note: "" },
    });
    expect((await put({ plan: null })).plan).toBeNull();
    expect((await app.db.select().from(agents).where(eq(agents.id, id)))[0]?.plan).toBeNull();
  });

  it("counts by its mode, quota, reset day and correction", async () => {
    const { app, bob, id, agent } = await setUp();
    for (const [minute, interfaces] of [{ eth0: [0, 0] }, { eth0: [300, 500] }].entries()) {
      app.clock.set(START + minute * MINUTE);
      await agent.report([sampleAt(app.clock.now(), { traffic: { boot: "1", interfaces: interfaces as never } })]);
    }
    const correction = { bytes: 250, month: "2026-01-16" };
    const plan = { traffic: { ...traffic, quota: 1000, correction } };
    const { body } = await app.as(bob).put(`/api/agents/${id}`, { name: "x", plan });
    const since = body.agent.traffic?.since as string;
    expect(since.slice(8)).toBe("15");
    expect(body.agent.plan?.traffic?.correction).toEqual({ bytes: 250, month: since });
    expect(body.agent.traffic).toMatchObject({ rx: 300, tx: 500, used: 750, quota: 1000, percent: 75 });
  });

  it.each([
    ["traffic.quota", { traffic: { ...traffic, quota: 0 } }],
    ["traffic.quota", { traffic: { ...traffic, quota: 1.5 } }],
    ["traffic.quota", { traffic: { ...traffic, quota: 2 ** 60 } }],
    ["traffic.reset_day", { traffic: { ...traffic, reset_day: 32 } }],
    ["traffic.zone", { traffic: { ...traffic, zone: "Nowhere/Here" } }],
    ["traffic.mode", { traffic: { ...traffic, mode: "both" } }],
    ["traffic.correction.month", { traffic: { ...traffic, correction: { bytes: 1, month: "2026-02-30" } } }],
    ["contract.ends_on", { contract: { ...contract, ends_on: "2026-02-30" } }],
    ["contract.ends_on", { contract: { ...contract, ends_on: "12026-01-01" } }],
    ["contract.price", { contract: { ...contract, price: -1 } }],
    ["contract.currency", { contract: { ...contract, currency: "euro" } }],
    ["contract.currency", { contract: { ends_on: "2027-01-01", price: 1 } }],
    ["contract.months", { contract: { ...contract, months: 0 } }],
    ["contract.note", { contract: { ...contract, note: "x".repeat(501) } }],
  ])("with a bad %s is refused, and says which field", async (field, plan) => {
    const { app, bob, id } = await setUp();
    const { status, body } = await app.as(bob).put(`/api/agents/${id}`, { name: "x", plan });
    expect([status, body.code]).toEqual([422, "validation"]);
    expect(body.errors?.map(({ path }: { path: string }) => path)).toContain(`plan.${field}`);
  });

  it.each([[5], ["x"], [true], [{}], [{ trafic: null }], [[[]]], [[[{}]]]])(
    "that is %p is refused, and the stored one is kept",
    async (plan) => {
      const { app, bob, id } = await setUp();
      await app.as(bob).put(`/api/agents/${id}`, { name: "x", plan: { traffic, contract } });
      const { status, body } = await app.as(bob).put(`/api/agents/${id}`, { name: "x", plan });
      expect([status, body.errors?.map(({ path }: { path: string }) => path)]).toEqual([422, ["plan"]]);
      expect((await app.as(bob).get(`/api/agents/${id}`)).body.agent.plan).toEqual({ traffic, contract });
    },
  );

  it("with a price is part of the costs of its owner's servers in a year, by currency", async () => {
    const { app, bob, charlie, id } = await setUp();
    const give = async (server: number, price: number | null, currency: string, months: number) =>
      app
        .as(bob)
        .put(`/api/agents/${server}`, { name: "x", plan: { contract: { ...contract, price, currency, months } } });
    const others = [await enrollAgent(app, bob), await enrollAgent(app, bob), await enrollAgent(app, bob)];
    await give(id, 5, "EUR", 1);
    await give(others[0]!.id, 100, "EUR", 36);
    await give(others[1]!.id, 300, "CNY", 12);
    await give(others[2]!.id, null, "", 12);
    expect((await app.as(bob).get("/api/agents/costs")).body.costs).toEqual([
      { currency: "EUR", year: 93.33, servers: 2 },
      { currency: "CNY", year: 300, servers: 1 },
    ]);
    expect((await app.as(charlie).get("/api/agents/costs")).body.costs).toEqual([]);
  });

  it("is exported, and imported for a server without one", async () => {
    const { app, bob, charlie, id } = await setUp();
    await app.as(bob).put(`/api/agents/${id}`, { name: "x", plan: { traffic, contract } });
    const file = (await app.as(bob).get("/api/export")).body;
    expect(file.agents).toMatchObject([{ plan: { traffic, contract } }]);
    const theirs = await enrollAgent(app, charlie);
    const read = async () => (await app.as(charlie).get(`/api/agents/${theirs.id}`)).body.agent.plan;
    const upload = async (body: object) => app.as(charlie).post("/api/import", { ...file, ...body });
    expect((await upload({})).status).toBe(200);
    expect(await read()).toEqual({ traffic, contract });
    const other = { ...file.agents[0], plan: { traffic: null, contract: { ...contract, note: "other" } } };
    expect((await upload({ agents: [other] })).status).toBe(200);
    expect(await read()).toEqual({ traffic, contract });
    const wrong = { ...other, plan: { traffic: { ...traffic, zone: "Nowhere/Here" } } };
    const { status, body } = await upload({ agents: [wrong] });
    expect([status, body.errors?.map(({ path }: { path: string }) => path)]).toEqual([
      422,
      ["agents.0.plan.traffic.zone"],
    ]);
  });
});
