import { afterAll, beforeAll, expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type HubProcess, installConsole, joinAs, startConsole } from "./lib/hub";
import { until } from "./lib/until";

const installation = installConsole();
let running: HubProcess;

beforeAll(async () => {
  // Without xz, which the hub would run in the background for longer than the test takes.
  running = await startConsole(installation, { PATH: "" });
});

afterAll(async () => {
  await running.stop();
  installation.remove();
});

it("installs from a hub, reports to it, and stops when it is uninstalled", async () => {
  const alice = await joinAs(running, "alice");
  const { token } = (await alice.post("/api/agents/token/generate", {})).body;
  const root = join(installation.folder, "root");
  const script = await (await fetch(`${running.origin}/install.sh`)).blob();
  const installing = Bun.spawn(
    ["sh", "-s", "--", "--token", token, "--interval", "2", "--name", "web-1", "--no-service"],
    {
      stdin: script,
      stdout: "ignore",
      stderr: "inherit",
      env: { PATH: process.env.PATH ?? "", WAKEFUL_ROOT: root },
    },
  );
  expect(await installing.exited).toBe(0);

  // As install.sh does without systemd.
  const settings = join(root, "etc/wakeful-agent.env");
  const program = join(root, "usr/local/bin/wakeful");
  const agent = Bun.spawn(["sh", "-c", `set -a; . ${settings}; exec ${program} agent start`], {
    env: { PATH: process.env.PATH ?? "", WAKEFUL_STATE: join(installation.folder, "state") },
    stdout: "ignore",
    stderr: "pipe",
  });
  try {
    const found = await until("its figures are there", async () => {
      const { agents } = (await alice.get("/api/agents")).body;
      return agents.find(({ cpu_usage }: { cpu_usage: number | null }) => cpu_usage !== null);
    });
    expect(found).toMatchObject({ name: "web-1", status: "active", interval: 2 });
    expect(found.memory_used).toBeGreaterThan(0);
    expect(found.disk_used).toBeGreaterThan(0);
    if (process.platform === "linux")
      expect(readFileSync(`/proc/${agent.pid}/environ`, "utf8").split("\0")).toContain("BUN_JSC_useJIT=0");

    await alice.delete(`/api/agents/${found.id}`);
    expect(await agent.exited).toBe(78);
    expect(await new Response(agent.stderr).text()).toContain("This server was deleted at");
  } finally {
    agent.kill("SIGKILL");
  }
});
