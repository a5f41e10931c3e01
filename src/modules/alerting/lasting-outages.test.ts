import { expect, it } from "bun:test";
import { MINUTE, SECOND } from "../../shared/limits";
import { createTestApp } from "../../testing/app";
import { enrollAgent, sampleAt } from "../../testing/fixtures/agents";
import { addChannel, runDeliveries, saveRule } from "../../testing/fixtures/alerts";
import { addHeartbeat, createSweep } from "../../testing/fixtures/heartbeats";
import { serveTelegram } from "../../testing/servers/providers";
import { createOfflineSweep } from "../servers/ingest/offline";
import { createDelivery } from "./delivery/deliver";

/** A hub whose jobs run every ten seconds, and the first lines of the messages of bob. */
const setUp = async () => {
  const telegram = serveTelegram();
  const app = await createTestApp({ env: { TELEGRAM_API_URL: telegram.origin, ALERT_FLAP_CHANGES: "4" } });
  const { bob } = await app.people();
  await app.as(bob).put("/api/auth/language", { language: "en-US" });
  const channel = await addChannel(app, bob);
  for (const target_type of ["global-agent", "global-monitor"])
    await saveRule(app, bob, { target_type, channels: [channel], on_offline: true });
  const [delivery, sweepServers] = [createDelivery(app.deps), createOfflineSweep(app.deps)];
  const { sweep } = createSweep(app);
  const pass = async (milliseconds: number) => {
    for (const end = app.clock.now() + milliseconds; app.clock.now() < end; ) {
      await app.clock.advance(10 * SECOND);
      await sweepServers();
      await sweep();
      await runDeliveries(app, delivery);
    }
  };
  return { app, bob, pass, lines: () => telegram.texts().map((text) => text.split("\n").slice(0, 2)) };
};

it("a server that goes offline for good after four changes is announced after three minutes", async () => {
  const { app, bob, pass, lines } = await setUp();
  const agent = await enrollAgent(app, bob);
  for (let count = 0; count < 3; count++) {
    await agent.report([sampleAt(app.clock.now())]);
    await pass(10 * SECOND);
    const after = lines().length;
    await pass(4 * MINUTE);
    if (count < 2) expect(lines().length).toBeGreaterThan(after);
  }
  const unstable = lines().length;
  expect(lines().at(-1)?.[0]).toEndWith("keeps changing, now reporting");
  // Its deadline of three minutes passed a minute ago.
  await pass(MINUTE);
  expect(lines().length).toBe(unstable);
  await pass(MINUTE + 10 * SECOND);
  const [title, line] = lines().at(-1) ?? [];
  expect(title).toMatch(/^🔴 Server .* is offline, and stays offline$/);
  expect(line).toMatch(/^Offline since .* \(before that it changed 4 times\)$/);
});

it("a heartbeat whose pings stop after four changes is announced after three minutes", async () => {
  const { app, bob, pass, lines } = await setUp();
  const job = await addHeartbeat(app, bob, { every: 60, grace: 30 });
  for (let count = 0; count < 3; count++) {
    await job.ping();
    await pass(100 * SECOND);
  }
  expect(lines().map(([title]) => title)).toEqual([
    "🔴 backup did not report: expected by 12:21:30 UTC",
    "🟢 backup reports again",
    "🔴 backup did not report: expected by 12:23:10 UTC",
    "🟠 backup keeps changing, now reporting",
  ]);
  await pass(160 * SECOND);
  expect(lines()).toHaveLength(4);
  await pass(20 * SECOND);
  const [title, line] = lines().at(-1) ?? [];
  expect(title).toBe("🔴 backup does not report, and stays silent");
  expect(line).toMatch(/^Down since .* \(before that it changed 4 times\)$/);
});
