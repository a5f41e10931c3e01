import { describe, expect, it } from "bun:test";
import { asc, eq, sql } from "drizzle-orm";
import { certificateAlerts, events, monitorStates, monitors, outages } from "../../../db/schema";
import { reserveIds } from "../../../db/sql";
import { CERTIFICATE_DAYS } from "../../../shared/certificate";
import { checkError } from "../../../shared/check-error";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { addChannel, addWatchedMonitor, createAlertApp, runDeliveries } from "../../../testing/fixtures/alerts";
import { addMonitor, recordOnly } from "../../../testing/fixtures/monitors";
import { createRandom } from "../../../testing/random";
import { readProblems } from "../../outages/problems";
import { insertMonitors, updateMonitor } from "../change";
import { findMonitor } from "../service";
import { alertExpiring, endOutages } from "./watch";

const URL = "https://shop.example/";

/** A monitor of bob's, and what happens to its certificate. */
const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const viewer = { id: bob.id, role: "user" } as const;
  const id = await addMonitor(app, bob, { url: URL, name: "shop" });
  /** A check now that sees a certificate. */
  const see = (fingerprint: string, expiresAt: number, up = true) =>
    recordOnly(app, id, [
      {
        at: app.clock.now(),
        up,
        certExpiresAt: expiresAt,
        certFingerprint: fingerprint,
        error: up ? null : checkError("timeout", { seconds: 30 }),
      },
    ]);
  const run = async () => {
    await endOutages(app.deps);
    await alertExpiring(app.deps);
  };
  /** Hours pass, each with the jobs. */
  const after = async (time: number) => {
    for (const end = app.clock.now() + time; app.clock.now() < end; ) {
      app.clock.set(Math.min(end, app.clock.now() + 6 * HOUR));
      await run();
    }
  };
  const written = async () => {
    const rows = await app.db.select().from(events).where(eq(events.targetId, id)).orderBy(asc(events.id));
    return rows
      .filter(({ kind }) => kind.startsWith("cert"))
      .map(({ kind, errorDetail, errorCode }) =>
        kind === "cert_renewed" ? "renewed" : (errorDetail?.days ?? errorCode ?? ""),
      );
  };
  const open = async () => {
    const rows = await app.db.select().from(outages).where(eq(outages.kind, "certificate")).orderBy(asc(outages.id));
    return rows.filter(({ endedAt }) => endedAt === null);
  };
  // Sessions end while the clock is set forward.
  const change = async ({ active, ...config }: { active?: boolean; certificate_days?: number[]; url?: string }) => {
    const row = await findMonitor(app.deps, viewer, id);
    const { monitor } = row;
    const input = { ...monitor, active: active ?? monitor.active, config: { ...monitor.config, ...config } };
    await updateMonitor(app.deps, row, { ...input });
  };
  const problems = async () => (await readProblems(app.deps, viewer)).map(({ kind }) => kind);
  return { app, id, see, run, after, written, open, change, problems };
};

describe("a certificate", () => {
  it("is alerted at 21, 7 and 1 days, each once, also while its monitor is down, and has one outage until it is renewed", async () => {
    const { app, id, see, after, run, written, open, problems } = await setUp();
    await see("aa", START + 30 * DAY);
    await after(8 * DAY);
    expect([await written(), await open()]).toEqual([[], []]);
    app.clock.set(app.clock.now() + MINUTE);
    // From here on the monitor is down, and sees no certificate.
    await recordOnly(app, id, [{ at: app.clock.now(), up: false, error: checkError("timeout", { seconds: 30 }) }]);
    await after(30 * DAY);
    expect(await written()).toEqual([21, 7, 1]);
    const [outage, ...others] = await open();
    expect(others).toEqual([]);
    expect(outage).toMatchObject({ startedAt: START + 9 * DAY + MINUTE, errorCode: "tls_expired" });
    app.clock.set(app.clock.now() + MINUTE);
    await see("bb", app.clock.now() + 90 * DAY);
    await run();
    expect(await written()).toEqual([21, 7, 1, "renewed"]);
    expect(await open()).toEqual([]);
    expect(await problems()).toEqual([]);
  });

  it("is alerted only at the tightest threshold when several were reached at once", async () => {
    const { see, after, run, written } = await setUp();
    await see("aa", START + 3 * DAY);
    await run();
    expect(await written()).toEqual([3]);
    await after(DAY);
    expect(await written()).toEqual([3]);
    await after(2 * DAY);
    expect(await written()).toEqual([3, 1]);
  });

  it("that has expired already is said to have expired", async () => {
    const { see, run, written } = await setUp();
    await see("aa", START - DAY, false);
    await run();
    expect(await written()).toEqual(["tls_expired"]);
  });

  it("has the days that are left in its outage, whichever thresholds it has", async () => {
    const { see, after, open } = await setUp();
    await see("aa", START + 21 * DAY);
    const left = [];
    for (let day = 0; day < 3; day++) {
      await after(DAY);
      left.push((await open())[0]?.errorDetail);
    }
    expect(left).toEqual([{ days: 20 }, { days: 19 }, { days: 18 }]);
  });

  it("is renewed also where the same certificate has a chain that expires later", async () => {
    const { app, see, run, written, open } = await setUp();
    await see("aa", START + 5 * DAY);
    await run();
    app.clock.set(START + HOUR);
    await see("aa", START + 90 * DAY);
    await run();
    expect([await written(), await open()]).toEqual([[5, "renewed"], []]);
  });

  it("has no message when its thresholds are shortened or switched off, and its outage ends", async () => {
    const { app, see, run, written, open, change } = await setUp();
    await see("aa", START + 5 * DAY);
    await run();
    await change({ certificate_days: [] });
    app.clock.set(START + HOUR);
    await run();
    expect([await written(), await open()]).toEqual([[5], []]);
    await change({ certificate_days: [1, 6] });
    await run();
    expect(await written()).toEqual([5, 5]);
  });

  it("of another target is another certificate, without a message about the old one", async () => {
    const { app, see, run, written, open, change } = await setUp();
    await see("aa", START + 5 * DAY);
    await run();
    await change({ url: "https://other.example/" });
    expect(await open()).toEqual([]);
    app.clock.set(START + HOUR);
    await see("bb", START + 90 * DAY);
    await run();
    expect(await written()).toEqual([5]);
  });

  it("of a paused monitor is quiet: no alerts, and no problem until it is resumed", async () => {
    const { see, after, run, written, open, change, problems } = await setUp();
    await see("aa", START + 7 * DAY);
    await run();
    expect([await written(), await problems()]).toEqual([[7], ["certificate"]]);
    await change({ active: false });
    await after(7 * DAY);
    expect([await written(), await problems()]).toEqual([[7], []]);
    await change({ active: true });
    expect([(await open()).length, await problems()]).toEqual([1, ["certificate"]]);
    await run();
    expect(await written()).toEqual([7, "tls_expired"]);
  });

  it("is alerted once by two instances, and its alerts are deleted long after it was renewed", async () => {
    const { app, see, run, written } = await setUp();
    await see("aa", START + 5 * DAY);
    await Promise.all([1, 2, 3].map(() => alertExpiring(app.deps)));
    app.clock.set(START + HOUR);
    await see("bb", START + 5 * DAY);
    await Promise.all([1, 2, 3].map(() => endOutages(app.deps)));
    await run();
    expect(await written()).toEqual([5, "renewed", 5]);
    app.clock.set(START + 401 * DAY);
    await run();
    const alerts = await app.db.select().from(certificateAlerts);
    expect(alerts.map(({ fingerprint, days }) => [fingerprint, days])).toEqual([
      ["bb", 7],
      ["bb", 1],
    ]);
  });

  it("is sent as a message about the monitor", async () => {
    const { app, bob, delivery, telegram } = await createAlertApp();
    await app.as(bob).put("/api/auth/language", { language: "en-US" });
    const id = await addWatchedMonitor(app, bob, [await addChannel(app, bob)]);
    const see = (certFingerprint: string, days: number) =>
      recordOnly(app, id, [{ at: app.clock.now(), certFingerprint, certExpiresAt: app.clock.now() + days * DAY }]);
    await see("aa", 7);
    expect(await alertExpiring(app.deps)).toBe(true);
    await runDeliveries(app, delivery);
    await app.clock.advance(HOUR);
    await see("bb", 90);
    expect(await endOutages(app.deps)).toBe(true);
    await runDeliveries(app, delivery);
    const [expiring, renewed, ...others] = telegram.texts();
    expect(expiring).toStartWith("🟠 shop: the certificate expires soon\n");
    expect(expiring).toContain("days left: 7");
    expect(renewed).toStartWith("🟢 shop: the certificate was renewed\n");
    expect(others).toEqual([]);
  });

  it("of many monitors is read page by page", async () => {
    const app = await createTestApp();
    const { alice } = await app.people();
    const config = { host: "a.example", port: 443, days: [3] };
    const input = { name: "m", kind: "tls", config, interval: 60, timeout: 30, retries: 0, active: true };
    const ids = await reserveIds(app.db, monitors, 1001);
    const given = { userId: alice.id, now: START, condition: sql`true` };
    await app.db.atomically(() =>
      insertMonitors(
        ids.map((id) => ({ ...input, id })),
        given,
      ),
    );
    await app.db
      .update(monitorStates)
      .set({ certFingerprint: "aa", certExpiresAt: sql`${START} + (${monitorStates.monitorId} % 5) * ${DAY}` });
    await alertExpiring(app.deps);
    expect(await app.db.$count(events)).toBe(ids.filter((id) => id % 5 <= 3).length);
  });
});

type Model = {
  fingerprint: string;
  expiresAt: number;
  days: number[];
  active: boolean;
  sent: string[];
  open: { fingerprint: string; days: number } | null;
};

/** What the jobs do, by the plain rules. */
const runModel = (model: Model, now: number): (number | string)[] => {
  const { fingerprint, expiresAt, days, active, sent } = model;
  if (!active || fingerprint === "") return [];
  const found: (number | string)[] = [];
  const left = (expiresAt - now) / DAY;
  const reached = days.filter((threshold) => left <= threshold).toSorted((a, b) => a - b)[0];
  if (model.open && (model.open.fingerprint !== fingerprint || reached === undefined)) {
    if (model.open.fingerprint !== fingerprint || left > model.open.days) found.push("renewed");
    model.open = null;
  }
  const tighter = Array.from({ length: CERTIFICATE_DAYS.longest }, (_, index) => `${fingerprint} ${index + 1}`);
  if (reached !== undefined && !tighter.slice(0, reached).some((one) => sent.includes(one))) {
    sent.push(`${fingerprint} ${reached}`);
    model.open = { fingerprint, days: reached };
    found.push(left <= 0 ? "tls_expired" : Math.ceil(left));
  }
  return found;
};

it.each(Array.from({ length: process.env.TEST_DATABASE_URL ? 3 : 10 }, (_, seed) => seed + 1))(
  "random renewals, pauses and thresholds agree with a plain model, by seed %i",
  async (seed) => {
    const { app, see, run, written, open, change } = await setUp();
    const { below, pick, oneIn } = createRandom(seed);
    const model: Model = { fingerprint: "", expiresAt: 0, days: [21, 7, 1], active: true, sent: [], open: null };
    const expected: (number | string)[] = [];
    const known = new Map<string, number>();
    for (let step = 0; step < 60; step++) {
      app.clock.set(app.clock.now() + pick([HOUR, 6 * HOUR, DAY, 3 * DAY, 10 * DAY]) + below(HOUR));
      const now = app.clock.now();
      if (oneIn(4)) {
        // A new certificate, or one of those before, as behind a load balancer.
        const fingerprint = known.size > 0 && oneIn(3) ? pick([...known.keys()]) : `${step}`;
        const expiresAt = known.get(fingerprint) ?? now + pick([2, 6, 15, 30, 90]) * DAY + below(DAY);
        known.set(fingerprint, expiresAt);
        await see(fingerprint, expiresAt, !oneIn(3));
        Object.assign(model, { fingerprint, expiresAt });
      } else if (oneIn(6)) {
        if (oneIn(2)) model.active = !model.active;
        else model.days = pick([[], [1], [30, 14, 3], [21, 7, 1], [5, 2]]);
        await change({ certificate_days: model.days, active: model.active });
      }
      await run();
      expected.push(...runModel(model, now));
      expect(await written()).toEqual(expected);
      expect((await open()).length).toBe(model.open === null ? 0 : 1);
    }
    const alerts = await app.db.select().from(certificateAlerts);
    expect(alerts.map(({ fingerprint, days }) => `${fingerprint} ${days}`).sort()).toEqual([...model.sent].sort());
    expect(new Set(model.sent).size).toBe(model.sent.length);
  },
);
