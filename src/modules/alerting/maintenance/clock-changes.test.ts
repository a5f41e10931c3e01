import { expect, it } from "bun:test";
import { MINUTE } from "../../../shared/limits";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  recordDown,
  runDeliveries,
} from "../../../testing/fixtures/alerts";

/** Nights with a change of clocks, and when a window on Sunday at 02:15 for an hour is then. */
const NIGHTS = [
  // 02:15 is skipped, so that it begins at 03:00.
  ["Europe/Berlin", "2026-03-29T01:00:00Z"],
  // 02:15 comes twice.
  ["Europe/Berlin", "2026-10-25T00:15:00Z"],
  ["America/New_York", "2026-03-08T07:00:00Z"],
  ["America/New_York", "2026-11-01T07:15:00Z"],
  // The clock changes by half an hour.
  ["Australia/Lord_Howe", "2026-04-04T15:45:00Z"],
  ["Australia/Lord_Howe", "2026-10-03T15:30:00Z"],
] as const;

it.each(NIGHTS)(
  "a window at 02:15 in %s withholds alerts for an hour from %s on, where clocks change",
  async (zone, start) => {
    const { app, bob, telegram, delivery } = await createAlertApp();
    const channel = await addChannel(app, bob);
    const from = Date.parse(start);
    const schedule = { kind: "weekly", days: [7], at: "02:15", minutes: 60, zone };
    await app.as(bob).post("/api/windows", { title: "Restart", all: true, schedule });
    const minutes = [-61, -1, 0, 1, 30, 59, 60, 61, 121];
    const monitors: number[] = [];
    for (const minute of minutes) monitors.push(await addWatchedMonitor(app, bob, [channel], `at ${minute}`));
    const sent: boolean[] = [];
    for (const [index, minute] of minutes.entries()) {
      await app.clock.set(from + minute * MINUTE);
      const before = telegram.messages.length;
      await recordDown(app, monitors[index] as number);
      await runDeliveries(app, delivery);
      sent.push(telegram.messages.length > before);
    }
    expect(sent).toEqual(minutes.map((minute) => minute < 0 || minute >= 60));
    expect(telegram.texts().join("\n").match(/🔴/g)?.length).toBeGreaterThanOrEqual(minutes.length);
    await delivery.stop();
  },
);
