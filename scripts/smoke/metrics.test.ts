import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { machine, reportOf } from "../../src/testing/fixtures/agents";
import { machineFacts, wideSampleAt } from "../../src/testing/fixtures/wide-reports";
import { type HubProcess, installConsole, joinAs, startConsole } from "./lib/hub";
import { until } from "./lib/until";

const pathOf = (file: string) => resolve(import.meta.dir, "../..", file);
const TOKEN = "a token for Prometheus alone";
const installation = installConsole();
const target = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("ok") });
let running: HubProcess;
let metrics = "";

const promtool = (words: string[], input = "") => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["promtool", ...words], { stdin: new Blob([input]) });
  return { code: exitCode, output: `${stdout}${stderr}` };
};

/** The names of the metrics in a text, without the endings of a histogram. */
const namesIn = (text: string) =>
  [...new Set(text.match(/\b(?:wakeful|process)_[a-z0-9_]+/g))].map((name) => name.replace(/_bucket$/, ""));

beforeAll(async () => {
  running = await startConsole(installation, { METRICS_TOKEN: TOKEN });
  const alice = await joinAs(running, "alice");
  const tags = [{ name: "team", value: "ops" }];
  const monitor = { name: 'the "shop"', url: `${target.url}?key=secret`, interval: 60, tags };
  const { id } = (await alice.post("/api/monitors", monitor)).body.monitor;
  await alice.post(`/api/monitors/${id}/check`);
  const { token } = (await alice.post("/api/agents/token/generate")).body;
  const { key } = (await alice.post("/api/agents/register", { token, ...machine({ name: "db" }) })).body;
  const now = Date.now();
  const samples = [wideSampleAt(now - 60_000), wideSampleAt(now)];
  await running.as(key).post("/api/agents/report", { ...reportOf(samples), ...machineFacts() });
  metrics = await until("the check and the report to be stored", async () => {
    const { text } = await running.as(TOKEN).get("/metrics");
    return /wakeful_monitor_phase_seconds/.test(text) && /wakeful_server_filesystem/.test(text) && text;
  });
});

afterAll(async () => {
  await running.stop();
  await target.stop(true);
  installation.remove();
});

describe("the metrics of a hub", () => {
  it("are what promtool accepts without a remark", () => {
    expect(promtool(["check", "metrics"], metrics)).toEqual({ code: 0, output: "" });
  });

  it("are the only ones that the dashboard and the rules use", () => {
    const known = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    // Nothing that this hub watches has a certificate or is a domain.
    known.add("wakeful_monitor_certificate_expiry_timestamp_seconds");
    known.add("wakeful_monitor_domain_expiry_timestamp_seconds");
    for (const file of ["docs/grafana.json", "docs/prometheus-rules.yml"]) {
      const used = namesIn(readFileSync(pathOf(file), "utf8"));
      expect(used.length).toBeGreaterThan(10);
      expect([file, used.filter((name) => !known.has(name))]).toEqual([file, []]);
    }
  });
});

describe("the alerting rules", () => {
  it("are valid", () => {
    expect(promtool(["check", "rules", pathOf("docs/prometheus-rules.yml")])).toMatchObject({ code: 0 });
  });

  it("fire for what is down, offline, blind, late, stale, undelivered, full or about to expire, and not for others", () => {
    const tests = resolve(import.meta.dir, "lib/prometheus-rules.test.yml");
    const { code, output } = promtool(["test", "rules", tests]);
    expect([code, code === 0 ? "" : output]).toEqual([0, ""]);
  });
});
