import { describe, expect, it } from "bun:test";
import { createTestApp } from "../../testing/app";
import { enrollAgent, sampleAt } from "../../testing/fixtures/agents";
import { machineFacts, wideSampleAt } from "../../testing/fixtures/wide-reports";
import { scrape } from "../../testing/prometheus";

const TOKEN = "a token for Prometheus alone";
const start = () => createTestApp({ env: { METRICS_TOKEN: TOKEN } });

describe("the metrics of servers", () => {
  it("report each disk, network interface and sensor, and the system", async () => {
    const app = await start();
    const { bob } = await app.people();
    const agent = await enrollAgent(app, bob, { name: "Database", hostname: "db-1" });
    const now = app.clock.now();
    await agent.report([wideSampleAt(now - 60_000), wideSampleAt(now)], machineFacts());
    await app.as(bob).put(`/api/agents/${agent.id}`, { name: "Database", tags: [{ name: "team", value: "data" }] });
    const { figure, text } = await scrape(app, TOKEN);
    const id = String(agent.id);
    expect(figure("wakeful_server_info", { id, hostname: "db-1", agent_version: "1.4.2", tag_team: "data" })).toBe(1);
    expect(figure("wakeful_server_filesystem_total_bytes", { id, mount: "/" })).toBe(40 * 2 ** 30);
    expect(figure("wakeful_server_filesystem_used_bytes", { id, mount: "/home" })).toBe(40 * 2 ** 30);
    expect(figure("wakeful_server_network_receive_bytes_total", { id, device: "eth0" })).toBe(1_000_000);
    expect(figure("wakeful_server_network_transmit_bytes_total", { id, device: "eth1" })).toBe(4000);
    expect(figure("wakeful_server_temperature_celsius", { id, sensor: "nvme/Composite" })).toBe(39);
    const single = ["cpus", "load1", "load15", "swap_total_bytes", "swap_used_bytes", "boot_timestamp_seconds"];
    expect(single.map((name) => figure(`wakeful_server_${name}`, { id }))).toEqual([
      4,
      0.5,
      0.3,
      2 * 2 ** 30,
      2 ** 29,
      Date.parse("2026-01-01") / 1000,
    ]);
    expect(text).not.toContain("ffmpeg");
  });

  it("report the last sample of each server, in base units", async () => {
    const app = await start();
    const { bob } = await app.people();
    const agent = await enrollAgent(app, bob, { name: "Database" });
    expect((await scrape(app, TOKEN)).families.has("wakeful_server_up")).toBe(false);
    const now = app.clock.now();
    await agent.report([sampleAt(now)]);
    const { figure } = await scrape(app, TOKEN);
    const database = { id: String(agent.id), name: "Database" };
    expect(figure("wakeful_server_up", database)).toBe(1);
    expect(figure("wakeful_server_cpu_ratio", database)).toBe(0.125);
    expect(figure("wakeful_server_memory_total_bytes", database)).toBe(16 * 2 ** 30);
    expect(figure("wakeful_server_memory_used_bytes", database)).toBe(4 * 2 ** 30);
    expect(figure("wakeful_server_disk_used_bytes", database)).toBe(50 * 2 ** 30);
    expect(figure("wakeful_server_network_receive_bytes_per_second", database)).toBe(8 * 1024);
    expect(figure("wakeful_server_network_transmit_bytes_per_second", database)).toBe(2 * 1024);
    expect(figure("wakeful_server_last_report_timestamp_seconds", database)).toBe(now / 1000);
    expect(figure("wakeful_servers", { status: "active" })).toBe(1);
    expect([figure("wakeful_reports_total"), figure("wakeful_samples_total")]).toEqual([1, 1]);
  });
});
