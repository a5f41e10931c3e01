import { describe, expect, it } from "bun:test";
import { createTestApp } from "../../../testing/app";
import { createTestClock } from "../../../testing/clock";

const preview = async (query: Record<string, string>) => {
  const app = await createTestApp({ clock: createTestClock(Date.parse("2026-03-27T12:00:00Z")) });
  const { bob } = await app.people();
  return app.as(bob).get(`/api/monitors/schedule?${new URLSearchParams(query)}`);
};

describe("the preview of a schedule", () => {
  it("has the next three times in the time zone, also over the change to summer time", async () => {
    const { status, body } = await preview({ cron: " 0 3 * * * ", tz: "Europe/Berlin" });
    expect(status).toBe(200);
    expect(body.times).toEqual(["2026-03-28T02:00:00.000Z", "2026-03-29T01:00:00.000Z", "2026-03-30T01:00:00.000Z"]);
  });

  it("names what is not understood", async () => {
    for (const [query, path] of [
      [{ cron: "0 0 3 * * *" }, "cron"],
      [{ cron: "0 3 L * *" }, "cron"],
      [{ cron: "0 3 * * *", tz: "Mars/Olympus" }, "tz"],
    ] as const) {
      const { status, body } = await preview(query);
      expect([query, status, body.errors[0]?.path]).toEqual([query, 422, path]);
    }
  });

  it("refuses a cron expression whose date does not exist", async () => {
    for (const cron of ["0 0 30 2 *", "0 0 31 4,6 *"]) {
      const { status, body } = await preview({ cron });
      expect([status, body.errors] as unknown).toEqual([
        422,
        [{ path: "cron", code: "cron_never", message: expect.stringContaining("never come") }],
      ]);
    }
  });
});
