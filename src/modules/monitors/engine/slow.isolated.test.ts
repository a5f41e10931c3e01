import { beforeAll, expect, it, onTestFinished } from "bun:test";
import type { Outcome } from "../../../probe/outcome";
import { SECOND } from "../../../shared/limits";
import { describeKind } from "../../../shared/monitor-kinds/field";
import { readEvents } from "../../../testing/event-stream";
import { finishChecks } from "../../../testing/fixtures/engine";
import { defineKind } from "../kinds/kind";
import { KINDS } from "../kinds/registry";

let took = 100;
let checks = 0;

/** A kind that exists in this test only, whose answers take as long as `took` says. */
const description = describeKind({
  kind: "stopwatch",
  fields: [
    {
      name: "most",
      type: "number",
      min: 1,
      max: 9999,
      required: true,
      about: "Milliseconds.",
      example: 800,
      label: "",
    },
  ],
  form: { target: ["most"] },
  target: () => "stopwatch",
});
const stopwatch = defineKind(description, {
  host: () => "",
  probe: async ({ most }): Promise<Outcome> => {
    checks++;
    return {
      up: true,
      responseTime: took,
      statusCode: null,
      error: null,
      certExpiresAt: null,
      slow: took >= most,
      slowLimit: most,
    };
  },
});

// The rest of the product reads the registry as it is loaded.
let startTestServer: typeof import("../../../testing/servers/hub").startTestServer;
beforeAll(async () => {
  KINDS.push(stopwatch);
  ({ startTestServer } = await import("../../../testing/servers/hub"));
});

it("the engine counts slow answers of any kind by the limit of its outcomes, and pages that are open learn of it at once", async () => {
  const hub = await startTestServer();
  const { bob } = await hub.people();
  const created = await hub.as(bob).post("/api/monitors", {
    name: "shop",
    kind: "stopwatch",
    config: { most: 500 },
    interval: 60,
  });
  const { id } = created.body.monitor;
  const check = async (time: number) => {
    took = time;
    // The time of a check varies within its minute.
    for (const before = checks; checks === before; ) {
      await hub.clock.advance(5 * SECOND);
      await finishChecks(hub);
    }
    const { monitor } = (await hub.as(bob).get(`/api/monitors/${id}`)).body;
    return `${monitor.status} ${monitor.error_detail?.limit ?? ""}`.trim();
  };
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const headers = { authorization: `Bearer ${bob.token}` };
  const response = await fetch(`http://127.0.0.1:${hub.port}/api/live`, { headers, signal: abort.signal });
  const live = readEvents(response.body);
  await live.next("ready");
  const found: string[] = [];
  for (const time of [100, 600, 600, 400, 700, 100, 100, 100]) found.push(await check(time));
  expect(found).toEqual(["up", "up", "up", "up", "degraded 500", "degraded 500", "up", "up"]);
  const degraded = await live.next("monitor", ({ status }) => status === "degraded");
  const why = { error_code: "slow_response", error_detail: { limit: 500, slow: 3, checks: 5 } };
  expect(degraded.data).toMatchObject({
    id,
    slow: true,
    response_time: 700,
    since: degraded.data.last_checked,
    ...why,
  });
  await live.next("counts", ({ monitors }) => monitors.degraded === 1 && monitors.up === 1);
  expect((await live.next("outage")).data).toMatchObject({ target_id: id, kind: "slow", status: "open" });
  const logged = hub.logged.join("");
  expect(logged).toInclude("a monitor responds slowly");
  expect(logged).toInclude("a monitor responds in time again");
});
