import { afterAll, beforeAll, expect, it } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readRunState } from "../../src/agent/state";
import type { Client } from "../../src/testing/client";
import { serveHostileHub } from "./lib/hostile-hub";
import { type HubProcess, installConsole, joinAs, startConsole } from "./lib/hub";
import { until } from "./lib/until";

const installation = installConsole();
let running: HubProcess;
let alice: Client;
const script = join(installation.folder, "agent.sh");

beforeAll(async () => {
  running = await startConsole(installation);
  alice = await joinAs(running, "alice");
  writeFileSync(script, await (await fetch(`${running.origin}/agent.sh`)).text());
});

afterAll(async () => {
  await running.stop();
  installation.remove();
});

const enroll = async (command: string[], path = process.env.PATH ?? "") => {
  const { token } = (await alice.post("/api/agents/token/generate", {})).body;
  const state = join(installation.folder, `state-${Bun.randomUUIDv7()}`);
  return Bun.spawn([...command, "start", "--interval", "2", "--state", state], {
    env: {
      PATH: path,
      WAKEFUL_SERVER: running.origin,
      WAKEFUL_TOKEN: token,
      WAKEFUL_NAME: command.join(" ").slice(-20),
    },
    stdout: "ignore",
    stderr: "inherit",
  });
};

type Found = Record<"disk_used" | "disk_total" | "memory_used" | "memory_total", number> & {
  agent_kind: string | null;
  boot_time: string;
  disks: { mount: string }[];
  [name: string]: unknown;
};

it("reports to a hub what the executable reports of the same machine", async () => {
  const busybox = join(installation.folder, "busybox");
  mkdirSync(busybox);
  Bun.spawnSync([Bun.which("busybox") ?? "busybox", "--install", "-s", busybox]);
  const agents = await Promise.all([
    enroll([installation.executable, "agent"]),
    enroll(["dash", script]),
    enroll(["bash", script]),
    enroll([join(busybox, "ash"), script], busybox),
  ]);
  try {
    const found = await until("the figures of all are there", async () => {
      const { agents: listed } = (await alice.get("/api/agents?sort=created")).body;
      const measured = listed.filter(
        ({ cpu_usage, disk_used }: Record<string, unknown>) => cpu_usage !== null && disk_used,
      );
      return measured.length === agents.length && measured;
    });
    const details: Found[] = await Promise.all(
      found.map(
        async ({ id }: { id: number }) => (await alice.get(`/api/agents/${id}`)).body.agent as unknown as Found,
      ),
    );
    const executable = details.find(({ agent_kind }) => agent_kind !== "light") as Found;
    const light = details.filter(({ agent_kind }) => agent_kind === "light");
    expect([executable !== undefined, light.length]).toEqual([true, 3]);
    for (const one of light) {
      for (const name of ["hostname", "os", "version", "memory_total", "agent_version", "processors", "interval"])
        expect([name, one[name]]).toEqual([name, executable[name]]);
      expect(Math.abs(Date.parse(one.boot_time) - Date.parse(executable.boot_time))).toBeLessThanOrEqual(2000);
      expect(one.disks.map(({ mount }: { mount: string }) => mount)).toEqual(
        executable.disks.map(({ mount }: { mount: string }) => mount),
      );
      // The machine is in use, so figures of different moments differ a little.
      expect(Math.abs(one.disk_used / executable.disk_used - 1)).toBeLessThan(0.01);
      expect(Math.abs(one.disk_total / executable.disk_total - 1)).toBeLessThan(0.01);
      expect(Math.abs(one.memory_used - executable.memory_used) / executable.memory_total).toBeLessThan(0.1);
    }
    await Promise.all(found.map(({ id }: { id: number }) => alice.delete(`/api/agents/${id}`)));
    expect(await Promise.all(agents.map((agent) => agent.exited))).toEqual([78, 78, 78, 78]);
  } finally {
    for (const agent of agents) agent.kill("SIGKILL");
  }
});

/** Answers that no hub gives, each with something to run, to open or to connect to. */
const NONSENSE: (() => Response)[] = [
  () => new Response("$(touch /tmp/taken) `id`; curl http://192.0.2.1/", { status: 500 }),
  () => Response.redirect("http://192.0.2.1:81/taken", 307),
  () => Response.json({ success: false, code: "$(id)", message: "$(touch taken); `id`\u001b[2J" }, { status: 422 }),
  () => Response.json({ success: false, code: "too_large", message: "%s%n" }, { status: 413 }),
  () => new Response(`{"success":true,"run":"id","live":true,"update":"http://192.0.2.1/agent.sh"}\n:end 1\nended 0\n`),
  () => new Response("HTTP/1.1 200 OK\n".repeat(20_000), { headers: { "retry-after": "$(id)" } }),
  () => new Response(new Uint8Array(70_000)),
  () =>
    new Response("{", {
      status: 401,
      headers: {
        "www-authenticate": 'Bearer error="invalid_token", error_description="$(id)"',
        location: "file:///etc/shadow",
      },
    }),
];

const PROGRAMS =
  /\/(dash|awk|mawk|gawk|curl|df|date|sleep|head|tail|sed|tr|cat|mv|rm|mkdir|mkfifo|uname|id|ip|od|wc|timeout|true|sha256sum)$/;

it("runs, opens and connects to nothing else when a hub answers nonsense", async () => {
  const hub = serveHostileHub((nth) => (NONSENSE[nth % NONSENSE.length] as () => Response)());
  const [state, trace] = [join(installation.folder, "nonsense"), join(installation.folder, "trace")];
  const words = ["-f", "-qq", "-s", "256", "-e", "trace=execve,connect,openat,open,creat", "-o", trace];
  const agent = Bun.spawn(["strace", ...words, "dash", script, "start", "--interval", "1", "--state", state], {
    env: { PATH: process.env.PATH ?? "", WAKEFUL_SERVER: `http://127.0.0.1:${hub.port}`, WAKEFUL_TOKEN: "wkt_x" },
    stdout: "ignore",
    stderr: "ignore",
  });
  try {
    await until("every answer was given", async () => hub.seen.length >= NONSENSE.length, 250_000);
  } finally {
    process.kill(readRunState(state)?.process as number, "SIGTERM");
    await agent.exited;
    await hub.stop();
  }
  const lines = readFileSync(trace, "utf8").split("\n");
  const run = lines.flatMap((line) => /execve\("([^"]+)".*= 0$/.exec(line)?.[1] ?? []);
  expect([...new Set(run)].filter((path) => !PROGRAMS.test(path))).toEqual([]);
  expect(run.some((path) => path.endsWith("/curl"))).toBe(true);
  const peers = lines.flatMap((line) => /connect\(.*?sin6?_port=htons\((\d+)\)/.exec(line)?.[1] ?? []);
  expect([...new Set(peers)]).toEqual([String(hub.port)]);
  const written = lines.flatMap(
    (line) => /open(?:at)?\((?:AT_FDCWD, )?"([^"]+)", [^)]*O_(?:WRONLY|RDWR|CREAT)/.exec(line)?.[1] ?? [],
  );
  expect(
    [...new Set(written)].filter((path) => !path.startsWith(`${state}/`) && !/^\/dev\/(null|tty)$/.test(path)),
  ).toEqual([]);
  const secret = lines.filter((line) => line.includes("execve(") && /wkt_x|wka_key/.test(line));
  expect(secret).toEqual([]);
  rmSync(trace);
});
