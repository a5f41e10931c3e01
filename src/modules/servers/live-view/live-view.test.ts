import { expect, it } from "bun:test";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { readEvents } from "../../../testing/event-stream";
import { enrollAgent, sampleAt } from "../../../testing/fixtures/agents";

const setUp = async () => {
  const app = await createTestApp();
  const { bob, charlie } = await app.people();
  const agent = await enrollAgent(app, bob);
  const call = async (body: unknown): Promise<object> =>
    (await app.anybody.post("/api/agents/live", body, { authorization: `Bearer ${agent.key}` })).body;
  const watch = async (): Promise<object> => (await app.as(bob).get(`/api/agents/${agent.id}/live`)).body;
  return { app, bob, charlie, agent, call, watch };
};

it("the answer to a report of the executable invites its agent, and that to others does not", async () => {
  const { agent } = await setUp();
  expect((await agent.report([sampleAt(START)], { agent_kind: "executable" })).body).toMatchObject({ live: true });
  for (const kind of [{}, { agent_kind: "light" as const }])
    expect(Object.keys((await agent.report([sampleAt(START)], kind)).body)).toEqual(["success", "accepted"]);
});

it("an agent waits until its server's page is open, and its samples reach the page's stream without being stored", async () => {
  const { app, bob, agent, call, watch } = await setUp();
  const stream = await app.send(
    new Request("http://localhost/api/live", { headers: { authorization: `Bearer ${bob.token}` } }),
  );
  const events = readEvents(stream.body);
  expect(await call({ samples: [] })).toEqual({ success: true, seconds: 0 });
  expect(await call({ samples: [sampleAt(START)] })).toEqual({ success: true, seconds: 0 });
  expect(await watch()).toEqual({ success: true, sample: null });
  expect(await call({ samples: [] })).toEqual({ success: true, seconds: 35 });
  const sample = sampleAt(START, {
    swap: { total: 100, used: 40 },
    load: [0.5, 0.4, 0.3],
    cpu_parts: { user: 8, system: 4, iowait: 0.55, steal: 7 },
    disk_activity: [
      { device: "sda", read: 1, write: 300, busy: 40, latency: 2 },
      { device: "sdb", read: 20, write: 3, busy: 10, latency: null },
    ],
  });
  const shown = {
    id: agent.id,
    at: sample.at,
    cpu_usage: 12.5,
    cpu_iowait: 0.6,
    cpu_steal: 7,
    memory_total: sample.memory.total,
    memory_used: sample.memory.used,
    swap_total: 100,
    swap_used: 40,
    network_rx: 8,
    network_tx: 2,
    load_average: [0.5, 0.4, 0.3],
    disk_read: 20,
    disk_write: 300,
    disk_busy: 40,
  };
  expect(await call({ samples: [sample] })).toEqual({ success: true, seconds: 35 });
  expect((await events.next("sample")).data).toEqual(shown);
  expect(await watch()).toEqual({ success: true, sample: shown });
  const { agent: detail } = (await app.as(bob).get(`/api/agents/${agent.id}`)).body;
  expect(detail).toMatchObject({ status: "connecting", cpu_usage: null });
  expect((await app.as(bob).get(`/api/agents/${agent.id}/metrics`)).body.points).toEqual([]);
});

it("another user can neither watch a server nor see its samples", async () => {
  const { app, charlie, agent, call, watch } = await setUp();
  const { status, body } = await app.as(charlie).get(`/api/agents/${agent.id}/live`);
  expect([status, body.code]).toEqual([404, "not_found"]);
  expect(await call({ samples: [sampleAt(START)] })).toEqual({ success: true, seconds: 0 });
  expect(await watch()).toEqual({ success: true, sample: null });
});

it("a call is refused with the key of no agent, before its body is read, and with too many samples", async () => {
  const { app, bob, agent, call } = await setUp();
  const request = new Request("http://localhost/api/agents/live", {
    method: "POST",
    headers: { authorization: "Bearer wka_x", "content-type": "application/json" },
    body: "{",
  });
  expect([(await app.send(request)).status, request.bodyUsed]).toEqual([401, false]);
  const six = Array.from({ length: 6 }, (_, second) => sampleAt(START + second * 1000));
  expect(await call({ samples: six })).toMatchObject({ code: "validation" });
  expect(await call({})).toMatchObject({ code: "validation" });
  await app.as(bob).delete(`/api/agents/${agent.id}`);
  await app.clock.advance(90_000);
  expect(await call({ samples: [] })).toMatchObject({ code: "agent_deleted" });
});
