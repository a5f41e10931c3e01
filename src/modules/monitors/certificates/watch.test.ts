import { describe, expect, it, onTestFinished } from "bun:test";
import { createServer, type Server } from "node:tls";
import { asc, sql } from "drizzle-orm";
import { madeBy } from "../../../db/owner";
import { certificateAlerts, events, monitorStates, monitors } from "../../../db/schema";
import { reserveIds } from "../../../db/sql";
import { checkError } from "../../../shared/check-error";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { createTestClock, START } from "../../../testing/clock";
import { addChannel, addWatchedMonitor, createAlertApp, runDeliveries } from "../../../testing/fixtures/alerts";
import { watchCertificate } from "../../../testing/fixtures/certificates";
import { inputWith, recordOnly } from "../../../testing/fixtures/monitors";
import { makeAuthority } from "../../../testing/servers/certificates";
import { insertMonitors } from "../change";
import { alertExpiring, endOutages } from "./watch";

describe("a certificate", () => {
  it("is alerted at 21, 7 and 1 days, each once, also while its monitor is down, and has one outage until it is renewed", async () => {
    const { app, id, see, after, run, written, open, problems } = await watchCertificate();
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
    const { see, after, run, written } = await watchCertificate();
    await see("aa", START + 3 * DAY);
    await run();
    expect(await written()).toEqual([3]);
    await after(DAY);
    expect(await written()).toEqual([3]);
    await after(2 * DAY);
    expect(await written()).toEqual([3, 1]);
  });

  it("that has expired already is said to have expired", async () => {
    const { see, run, written } = await watchCertificate();
    await see("aa", START - DAY, false);
    await run();
    expect(await written()).toEqual(["tls_expired"]);
  });

  it("has the days that are left in its outage, whichever thresholds it has", async () => {
    const { see, after, open } = await watchCertificate();
    await see("aa", START + 21 * DAY);
    const left = [];
    for (let day = 0; day < 3; day++) {
      await after(DAY);
      left.push((await open())[0]?.errorDetail);
    }
    expect(left).toEqual([{ days: 20 }, { days: 19 }, { days: 18 }]);
  });

  it("is renewed also where the same certificate has a chain that expires later", async () => {
    const { app, see, run, written, open } = await watchCertificate();
    await see("aa", START + 5 * DAY);
    await run();
    app.clock.set(START + HOUR);
    await see("aa", START + 90 * DAY);
    await run();
    expect([await written(), await open()]).toEqual([[5, "renewed"], []]);
  });

  it("has no message when its thresholds are shortened or switched off, and its outage ends", async () => {
    const { app, see, run, written, open, change } = await watchCertificate();
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
    const { app, see, run, written, open, change } = await watchCertificate();
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
    const { see, after, run, written, open, change, problems } = await watchCertificate();
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
    const { app, see, run, written } = await watchCertificate();
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

  it("is read by checks of a server, and renewed between two of them: an intermediate of 5 days, a leaf of 90", async () => {
    // Certificates are verified by the clock of the machine.
    const app = await createTestApp({ clock: createTestClock(Date.now()) });
    const { alice } = await app.people();
    const chain = (intermediateDays: number) => makeAuthority({ intermediateDays }).issue({ name: "a.test", days: 90 });
    const serve = (pair: { key: string; cert: string }, port: number) =>
      new Promise<Server>((resolve) => {
        const server = createServer(pair, (socket) => void socket.on("error", () => {}).resume());
        onTestFinished(() => void server.close());
        server.listen(port, "127.0.0.1", () => resolve(server));
      });
    const before = await serve(chain(5), 0);
    const { port } = before.address() as { port: number };
    const body = { name: "a", kind: "tls", config: { host: "127.0.0.1", port }, interval: 60, retries: 0 };
    const { id } = (await app.as(alice).post("/api/monitors", body)).body.monitor;
    const check = async () => (await app.as(alice).post(`/api/monitors/${id}/check`)).body.check.error_code;
    const kinds = async () => (await app.db.select().from(events).orderBy(asc(events.id))).map(({ kind }) => kind);
    // The issuer is not known here, so the monitor is down all the time.
    expect(await check()).toBe("tls_unknown_issuer");
    await alertExpiring(app.deps);
    expect(await kinds()).toEqual(["down", "cert_expiring"]);
    await new Promise((resolve) => before.close(resolve));
    await serve(chain(60), port);
    await app.clock.advance(10_000);
    expect(await check()).toBe("tls_unknown_issuer");
    await endOutages(app.deps);
    await alertExpiring(app.deps);
    expect(await kinds()).toEqual(["down", "cert_expiring", "cert_renewed"]);
  });

  it("of many monitors is read page by page", async () => {
    const app = await createTestApp();
    const { alice } = await app.people();
    const config = { host: "a.example", port: 443, days: [3] };
    const input = { ...inputWith({ url: "" }), kind: "tls", config };
    const ids = await reserveIds(app.db, monitors, 1001);
    const given = { owner: madeBy(alice), now: START, condition: sql`true` };
    await app.db.transact((tx) =>
      insertMonitors(
        tx,
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
