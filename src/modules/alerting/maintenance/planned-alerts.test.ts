import { describe, expect, it } from "bun:test";
import { MINUTE, SECOND } from "../../../shared/limits";
import { addPolicy, readDeliveries, recordDown, recover, saveRule } from "../../../testing/fixtures/alerts";
import { watchInMaintenance } from "../../../testing/fixtures/maintenance/watched-monitor";

describe("an outage", () => {
  it.each([
    ["lasts", false, ["🔴"]],
    ["is over", true, []],
  ])("whose alert waits for others when maintenance begins is alerted at its end if it %s", async (_, isOver, sent) => {
    const { app, bob, client, channel, shop, pass, begin } = await watchInMaintenance();
    const steps = [{ after_minutes: 0, channels: [channel] }];
    const policy = await addPolicy(app, bob, { name: "Grouped", steps, group_seconds: 60, repeat_minutes: 10 });
    await saveRule(app, bob, { target_type: "monitor", target_id: shop, override_global: true, policy_id: policy });
    await recordDown(app, shop);
    expect(await pass(SECOND)).toEqual([]);
    await begin({ monitors: [shop] });
    expect(await pass(30 * MINUTE)).toEqual([]);
    expect((await readDeliveries(app)).map(({ error }) => error)).toEqual(["it was in maintenance"]);
    if (isOver) await recover(app, shop);
    expect(await pass(29 * MINUTE)).toEqual([]);
    expect((await client.get("/api/windows")).body.windows).toHaveLength(1);
    expect(await pass(2 * MINUTE)).toEqual(sent);
  });

  it("whose alert quiet hours hold until maintenance has begun is alerted at its end", async () => {
    const { app, bob, channel, shop, pass, begin } = await watchInMaintenance();
    const steps = [{ after_minutes: 0, channels: [channel] }];
    const quiet = { from: "11:00", to: "12:50", days: [1, 2, 3, 4, 5, 6, 7], time_zone: "UTC", mode: "hold" };
    const policy = await addPolicy(app, bob, { name: "Quiet", steps, quiet });
    await saveRule(app, bob, { target_type: "monitor", target_id: shop, override_global: true, policy_id: policy });
    await recordDown(app, shop);
    expect(await pass(20 * MINUTE)).toEqual([]);
    await begin({ monitors: [shop] });
    expect(await pass(59 * MINUTE)).toEqual([]);
    expect(await pass(2 * MINUTE)).toEqual(["🔴"]);
  });

  it("whose reminder is retried when maintenance begins waits with it until its end", async () => {
    let isBroken = false;
    const { app, bob, channel, shop, pass, begin } = await watchInMaintenance(() =>
      isBroken ? new Response("", { status: 500 }) : null,
    );
    const steps = [{ after_minutes: 0, channels: [channel] }];
    const policy = await addPolicy(app, bob, { name: "Often", steps, repeat_minutes: 10 });
    await saveRule(app, bob, { target_type: "monitor", target_id: shop, override_global: true, policy_id: policy });
    await recordDown(app, shop);
    expect(await pass(5 * MINUTE)).toEqual(["🔴"]);
    isBroken = true;
    await pass(10 * MINUTE);
    isBroken = false;
    await begin({ monitors: [shop] });
    expect(await pass(59 * MINUTE)).toEqual([]);
    expect(await pass(6 * MINUTE)).toEqual(["🔴"]);
  });
});
