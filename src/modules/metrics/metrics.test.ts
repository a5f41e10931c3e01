import { describe, expect, it } from "bun:test";
import { sql } from "drizzle-orm";
import { version } from "../../build-info";
import { createTestApp, type TestApp } from "../../testing/app";
import { createClient } from "../../testing/client";
import { until } from "../../testing/clock";
import { enrollAgent, sampleAt } from "../../testing/fixtures/agents";
import { addMonitor, record } from "../../testing/fixtures/monitors";
import type { TestUser } from "../../testing/fixtures/people";
import { scrape } from "../../testing/prometheus";
import { startTestServer } from "../../testing/servers/hub";
import { serveStatus } from "../../testing/servers/targets";

const TOKEN = "a token for Prometheus alone";

const start = () => createTestApp({ env: { METRICS_TOKEN: TOKEN } });

describe("the metrics of monitors", () => {
  it("report the state of each monitor, in base units", async () => {
    const app = await start();
    const { bob } = await app.people();
    const id = await addMonitor(app, bob, { url: "http://127.0.0.1:1/", name: "Shop" });
    const now = app.clock.now();
    await record(app, id, [
      { at: now - 60_000, time: 10 },
      { at: now - 30_000, up: false, time: null },
      { at: now, time: 84.2 },
    ]);
    await app.db.rows(sql`update monitor_states set cert_expires_at = ${now + 86_400_000} where monitor_id = ${id}`);
    const { figure } = await scrape(app, TOKEN);
    const shop = { id: String(id), name: "Shop" };
    expect(figure("wakeful_monitor_up", shop)).toBe(1);
    expect(figure("wakeful_monitor_active", shop)).toBe(1);
    expect(figure("wakeful_monitor_response_seconds", shop)).toBe(0.0842);
    // The outage counts from the middle between the first two checks.
    expect(figure("wakeful_monitor_uptime_ratio", shop)).toBe(0.25);
    expect(figure("wakeful_monitor_last_check_timestamp_seconds", shop)).toBe(now / 1000);
    expect(figure("wakeful_monitor_certificate_expiry_timestamp_seconds", shop)).toBe(now / 1000 + 86_400);
    expect(figure("wakeful_monitors", { status: "up" })).toBe(1);
    expect(figure("wakeful_monitors", { status: "down" })).toBe(0);
  });

  it("have a monitor's tags to join by, and its target", async () => {
    const app = await start();
    const { bob } = await app.people();
    const tags = [
      { name: "Team", value: "ops" },
      { name: "production", value: "" },
      { name: "生产", value: "" },
    ];
    const id = await addMonitor(app, bob, { url: "http://127.0.0.1:1/x", name: "Shop", tags });
    const { families } = await scrape(app, TOKEN);
    const labels = families.get("wakeful_monitor_info")?.samples[0]?.labels;
    expect(labels).toMatchObject({ id: String(id), kind: "http", target: "http://127.0.0.1:1/x" });
    expect(labels).toMatchObject({ tag_team: "ops", tag_production: "true" });
    for (const tag of [",Team:ops,", ",production,", ",生产,"]) expect(labels?.tags).toContain(tag);
  });

  it("count results by outcome from 0, and report the phases and the status of the last check", async () => {
    const app = await start();
    const { alice } = await app.people();
    const target = serveStatus();
    const id = await addMonitor(app, alice, { url: target.url });
    const labels = { id: String(id) };
    const before = await scrape(app, TOKEN);
    for (const outcome of ["up", "slow", "down"])
      expect(before.figure("wakeful_monitor_checks_total", { ...labels, outcome })).toBe(0);
    expect(before.figure("wakeful_monitor_interval_seconds", labels)).toBe(60);
    expect(before.families.has("wakeful_monitor_phase_seconds")).toBe(false);
    await app.as(alice).post(`/api/monitors/${id}/check`);
    await until(() => app.engine.inFlight() === 0, "the check that was due, too, to end");
    const { figure } = await scrape(app, TOKEN);
    expect(figure("wakeful_monitor_checks_total", { ...labels, outcome: "up" })).toBeGreaterThanOrEqual(1);
    expect(figure("wakeful_monitor_checks_total", { ...labels, outcome: "down" })).toBe(0);
    expect(figure("wakeful_monitor_status_code", labels)).toBe(200);
    for (const phase of ["dns", "connect", "tls", "first_byte", "download"])
      expect([phase, figure("wakeful_monitor_phase_seconds", { ...labels, phase })]).toEqual([
        phase,
        expect.any(Number),
      ]);
  });

  it("omit the phases of a check that was not the last one", async () => {
    const app = await start();
    const { bob } = await app.people();
    const id = await addMonitor(app, bob, { url: "http://127.0.0.1:1/" });
    const now = app.clock.now();
    await record(app, id, [{ at: now, time: 10 }]);
    app.deps.meters.monitors.count({ monitorId: id, up: true, checkedAt: now - 1, statusCode: 200 });
    const { families, figure } = await scrape(app, TOKEN);
    expect(families.has("wakeful_monitor_status_code")).toBe(false);
    expect(figure("wakeful_monitor_checks_total", { id: String(id), outcome: "up" })).toBe(1);
  });

  it("omit unknown values: a monitor that was never checked is neither up nor down", async () => {
    const app = await start();
    const { bob } = await app.people();
    const fresh = await addMonitor(app, bob, { url: "http://127.0.0.1:1/" });
    const paused = await addMonitor(app, bob, { url: "http://127.0.0.1:1/", active: false });
    const { idsOf, families, figure } = await scrape(app, TOKEN);
    expect(idsOf("wakeful_monitor_active")).toEqual([fresh, paused]);
    expect(figure("wakeful_monitor_active", { id: String(paused) })).toBe(0);
    expect(families.has("wakeful_monitor_up")).toBe(false);
    expect(families.has("wakeful_monitor_response_seconds")).toBe(false);
  });

  it("escape names in labels", async () => {
    const app = await start();
    const { bob } = await app.people();
    const names = ['the "shop"', "back\\slash\\n", "two\nlines", "商店 🛒", '"} 1\nwakeful_monitor_up{id="9"', "{},="];
    for (const name of names) await addMonitor(app, bob, { url: "http://127.0.0.1:1/", name });
    const { families } = await scrape(app, TOKEN);
    expect(families.get("wakeful_monitor_active")?.samples.map(({ labels }) => labels.name)).toEqual(names);
  });

  it("contain no header, body or secret in a URL", async () => {
    const app = await start();
    const { bob } = await app.people();
    const url = "http://user:hunter2@127.0.0.1:1/secrets?key=hunter2";
    const id = await addMonitor(app, bob, {
      url,
      headers: { Authorization: "hunter2" },
      body: "hunter2",
      method: "POST",
    });
    await record(app, id, [
      { at: app.clock.now(), up: false, error: { code: "refused", detail: { reason: "hunter2" } } },
    ]);
    const { text, families } = await scrape(app, TOKEN);
    expect(text).not.toContain("hunter2");
    expect(families.get("wakeful_monitor_info")?.samples[0]?.labels.target).toBe(
      "http://••••@127.0.0.1:1/secrets?key=••••",
    );
  });
});

describe("the metrics of the hub", () => {
  it("report its work, its sizes and its delays", async () => {
    const app = await start();
    const { alice } = await app.people();
    const target = serveStatus();
    const created = { name: "shop", url: target.url, interval: 60 };
    const { id } = (await app.as(alice).post("/api/monitors", created)).body.monitor;
    await app.as(alice).post(`/api/monitors/${id}/check`);
    await until(() => app.engine.inFlight() === 0, "the check that was due, too, to end");
    const { figure, families } = await scrape(app, TOKEN);
    expect(figure("wakeful_build_info", { version, database: app.db.engine })).toBe(1);
    expect(figure("wakeful_checks_total", { result: "up" })).toBeGreaterThanOrEqual(1);
    expect(figure("wakeful_checks_total", { result: "down" })).toBe(0);
    expect(figure("wakeful_checks_in_flight")).toBe(0);
    expect(figure("wakeful_unknown", { reason: "hub_offline" })).toBe(0);
    for (const name of ["wakeful_events_unplanned", "wakeful_deliveries_pending", "wakeful_samples_waiting"])
      expect([name, figure(name)]).toEqual([name, 0]);
    expect(figure("wakeful_database_size_bytes")).toBeGreaterThan(10_000);
    expect(figure("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
    expect(figure("process_cpu_seconds_total")).toBeGreaterThan(0);
    for (const name of ["process_open_fds", "process_max_fds"])
      if (process.platform === "linux") expect(figure(name)).toBeGreaterThan(2);
    for (const [name, { type, help }] of families) {
      expect([name, help.endsWith(".")]).toEqual([name, true]);
      expect([name, type === "counter"]).toEqual([name, name.endsWith("_total")]);
    }
    // Prometheus sets `instance` itself, and `quantile` belongs to summaries.
    for (const { samples } of families.values()) {
      for (const { labels } of samples) expect(Object.keys(labels)).not.toContainAnyValues(["instance", "quantile"]);
    }
  });

  it("count in a histogram by upper bounds", async () => {
    const app = await start();
    for (const seconds of [0, 0.01, 0.3, 0.3, 7, 99]) app.deps.meters.lateness.observe(seconds);
    const { figure } = await scrape(app, TOKEN);
    const upTo = (le: string) => figure("wakeful_check_lateness_seconds_bucket", { le });
    expect([upTo("0.01"), upTo("0.25"), upTo("0.5"), upTo("10"), upTo("30"), upTo("+Inf")]).toEqual([2, 2, 4, 5, 5, 6]);
    expect(figure("wakeful_check_lateness_seconds_count")).toBe(6);
    expect(figure("wakeful_check_lateness_seconds_sum")).toBeCloseTo(106.61);
  });

  it("report how late a scheduled check started", async () => {
    const app = await start();
    const { alice } = await app.people();
    await addMonitor(app, alice, { url: serveStatus().url });
    app.clock.set(app.clock.now() + 700);
    await app.engine.tick();
    await until(async () => {
      await app.engine.tick();
      return app.deps.meters.checks.up + app.deps.meters.checks.down === 1;
    }, "the check is recorded");
    expect(app.deps.meters.lateness.read()).toMatchObject({ count: 1, sum: 0.7 });
  });
});

describe("access to the metrics", () => {
  const keyOf = async (app: TestApp, owner: TestUser) =>
    (await app.as(owner).post("/api/keys", { name: "Prometheus", scope: "read" })).body.key;

  it("with METRICS_TOKEN or as an administrator includes everything", async () => {
    const app = await start();
    const { alice, bob } = await app.people();
    const id = await addMonitor(app, bob, { url: "http://127.0.0.1:1/" });
    for (const secret of [TOKEN, alice.token, await keyOf(app, alice)]) {
      const { idsOf, families } = await scrape(app, secret);
      expect([idsOf("wakeful_monitor_active"), families.has("wakeful_build_info")]).toEqual([[id], true]);
    }
  });

  it("with a user's key or session includes their own monitors and servers, and nothing of the hub", async () => {
    const app = await start();
    const { bob, charlie } = await app.people();
    const own = await addMonitor(app, bob, { url: "http://127.0.0.1:1/" });
    await addMonitor(app, charlie, { url: "http://127.0.0.1:1/" });
    const agent = await enrollAgent(app, bob, { machine_id: "b" });
    const other = await enrollAgent(app, charlie, { machine_id: "c" });
    for (const { report } of [agent, other]) await report([sampleAt(app.clock.now())]);
    for (const secret of [bob.token, await keyOf(app, bob)]) {
      const { idsOf, families, figure } = await scrape(app, secret);
      expect([idsOf("wakeful_monitor_active"), idsOf("wakeful_server_up")]).toEqual([[own], [agent.id]]);
      expect([
        figure("wakeful_monitors", { status: "pending" }),
        figure("wakeful_servers", { status: "active" }),
      ]).toEqual([1, 1]);
      expect([...families.keys()].filter((name) => !/^wakeful_(monitor|server)/.test(name))).toEqual([]);
    }
  });

  it("without any of these is refused", async () => {
    const app = await start();
    const without = await createTestApp();
    for (const secret of ["", "x", `${TOKEN}x`, TOKEN.slice(1), "undefined"]) {
      const { status, body } = await createClient(app.send, secret).get("/metrics");
      expect([secret, status, body.code]).toEqual([secret, 401, "unauthorized"]);
    }
    expect((await without.anybody.get("/metrics")).status).toBe(401);
    expect((await createClient(without.send, TOKEN).get("/metrics")).status).toBe(401);
  });
});

it("the metrics are served below BASE_PATH, and not as a page", async () => {
  const server = await startTestServer({ METRICS_TOKEN: TOKEN, BASE_PATH: "/up" });
  for (const path of ["/metrics", "/up/metrics"]) {
    const { status, text } = await server.call(path, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect([path, status, text.startsWith("# HELP wakeful_build_info")]).toEqual([path, 200, true]);
  }
});
