import { expect, it } from "bun:test";
import { escalations, events, flappingTargets, outages } from "../../db/schema";
import { checkError } from "../../shared/check-error";
import { DAY, HOUR, MINUTE } from "../../shared/limits";
import { START } from "../../testing/clock";
import { addChannel, createAlertApp, runDeliveries } from "../../testing/fixtures/alerts";
import { addMonitor } from "../../testing/fixtures/monitors";
import { addPolicy, setMonitorRule } from "../../testing/fixtures/policies";
import { report } from "./report";

/** A monitor whose policy reminds each hour, and the functions that report changes of its certificate. */
const setUp = async () => {
  const { app, bob, delivery, telegram } = await createAlertApp();
  await app.as(bob).put("/api/auth/language", { language: "en-US" });
  const channel = await addChannel(app, bob);
  const shop = await addMonitor(app, bob, { url: "https://shop.example/", name: "shop" });
  const policyId = await addPolicy(app, bob, {
    steps: [
      { afterMinutes: 0, channels: [channel] },
      { afterMinutes: 10, channels: [channel] },
    ],
    repeatMinutes: 60,
    repeatMax: 5,
    quiet: null,
    groupSeconds: 0,
  });
  await setMonitorRule(app, bob, shop, { policyId });
  const change = (opens: boolean, days: number) => {
    const error = checkError("certificate_expiring", { days });
    return report(app.deps, "monitor", [{ targetId: shop, kind: "certificate", at: app.clock.now(), opens, error }]);
  };
  const after = async (time: number) => {
    await runDeliveries(app, delivery);
    for (const end = app.clock.now() + time; app.clock.now() < end; ) {
      await app.clock.advance(Math.min(30 * MINUTE, end - app.clock.now()));
      await runDeliveries(app, delivery);
    }
  };
  return {
    app,
    bob,
    expires: (days: number) => change(true, days),
    renew: () => change(false, 0),
    after,
    lines: () => telegram.texts().map((text) => text.split("\n")),
  };
};

it("each threshold of a certificate is one message without reminders or further steps, until it is renewed", async () => {
  const { app, expires, renew, after, lines } = await setUp();
  await expires(21);
  await after(5 * HOUR);
  expect(lines().map(([title]) => title)).toEqual(["🟠 shop: the certificate expires soon"]);
  await expires(7);
  await after(5 * HOUR);
  expect(lines().map((all) => all.find((line) => line.startsWith("Reason")))).toEqual([
    "Reason: the certificate expires soon (days left: 21)",
    "Reason: the certificate expires soon (days left: 7)",
  ]);
  const [outage] = await app.db.select().from(outages);
  expect((await app.db.select().from(events)).map(({ outageId }) => outageId)).toEqual([
    outage?.id,
    outage?.id,
  ] as never);
  await renew();
  await after(HOUR);
  expect(lines().at(-1)?.[0]).toBe("🟢 shop: the certificate was renewed");
  expect(lines()).toHaveLength(3);
  expect(await app.db.select().from(escalations)).toEqual([]);
});

it("a tighter threshold is sent although the outage was acknowledged, and several within minutes are not unstable", async () => {
  const { app, bob, expires, after, lines } = await setUp();
  await expires(21);
  await after(MINUTE);
  const { outages: listed } = (await app.as(bob).get("/api/outages")).body;
  const path = `/api/outages/${listed[0]?.id}/acknowledge`;
  expect((await app.as(bob).post(path, { until: new Date(START + DAY).toISOString() })).status).toBeLessThan(300);
  for (const days of [14, 10, 7, 5, 3]) {
    await expires(days);
    await after(MINUTE);
  }
  expect(lines().filter(([title]) => title?.includes("expires soon"))).toHaveLength(6);
  expect(await app.db.select().from(flappingTargets)).toEqual([]);
});
