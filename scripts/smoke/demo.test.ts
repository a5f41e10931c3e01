import { afterAll, expect, it } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./lib/free-port";
import { installConsole, runCommand } from "./lib/hub";
import { until } from "./lib/until";

const installation = installConsole();
const temporary = mkdtempSync(join(tmpdir(), "wakeful-smoke-"));

afterAll(() => {
  installation.remove();
  rmSync(temporary, { recursive: true });
});

const startDemo = async (port: number) => {
  const child = Bun.spawn([installation.executable, "demo", "--port", String(port), "--language", "zh-CN"], {
    // The address of a database that the demo must not touch.
    env: { PATH: process.env.PATH ?? "", TMPDIR: temporary, DATABASE_URL: "postgres://127.0.0.1:1/other" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  void (async () => {
    for await (const chunk of child.stdout) said += new TextDecoder().decode(chunk);
  })();
  await until("the demo is open", async () => {
    if (child.exitCode !== null) throw new Error(`the demo ended with ${child.exitCode}`);
    return said.includes("Ctrl-C");
  });
  return { child, password: /password (\S+)/.exec(said)?.[1] ?? "" };
};

it("a demo shows monitors with a month of history, servers and a status page, and leaves nothing behind", async () => {
  const port = freePort();
  const { child, password } = await startDemo(port);
  const origin = `http://127.0.0.1:${port}`;
  const login = await fetch(`${origin}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "demo", password }),
  });
  const { token } = (await login.json()) as { token: string };
  const get = async (path: string) =>
    (await (await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${token}` } })).json()) as never;

  const { total, monitors } = (await get("/api/monitors")) as { total: number; monitors: { name: string }[] };
  expect(total).toBe(13);
  expect(monitors.map(({ name }) => name)).toContain("支付接口");
  // The account is as old as its history, so it gets no advice for new users.
  expect(await get("/api/dashboard")).toMatchObject({ checklist: null });
  const { outages } = (await get("/api/outages")) as { outages: { ended_at: string | null }[] };
  expect(outages.length).toBeGreaterThan(3);
  expect(outages.filter(({ ended_at }) => ended_at === null)).toHaveLength(1);
  const { agents } = (await get("/api/agents")) as { agents: { id: number; status: string }[] };
  expect(agents.map(({ status }) => status)).toEqual(["active", "active", "active", "active"]);
  const { points } = (await get(`/api/agents/${agents[0]?.id}/metrics?range=24h`)) as { points: object[] };
  expect(points.length).toBeGreaterThan(100);
  expect(await (await fetch(`${origin}/status`)).text()).toContain("北风商城状态");

  const second = await runCommand(installation, ["demo", "--port", String(port)]);
  expect([second.err, second.code]).toEqual([`wakeful: port ${port} is in use: choose another with --port\n`, 1]);

  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  expect(readdirSync(temporary)).toEqual([]);
  expect(await fetch(`${origin}/health`).catch(() => null)).toBeNull();
});

it.each([
  [["--port", "many"], "--port is a number from 1 to 65535"],
  [["--language", "fr"], "--language is en-US or zh-CN"],
])("a demo refuses %p", async (words, message) => {
  const { err, code } = await runCommand(installation, ["demo", ...words]);
  expect([err, code]).toEqual([`wakeful: ${message}\n`, 1]);
});
