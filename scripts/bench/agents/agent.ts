import { existsSync, readFileSync } from "node:fs";
import { EXECUTABLE, remove, residentMemory, round, temporaryDirectory, usage } from "../lib/server";

/** Private memory of a process in bytes. */
const privateMemory = (pid: number): number =>
  Number(/^Anonymous:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]) / 1024;

const EXPORTER = "/usr/bin/prometheus-node-exporter";

/** A minimal hub, so that only the agent is measured. */
const standIn = () =>
  Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const registers = request.url.endsWith("/register");
      const body = (await request.json()) as { samples?: unknown[] };
      if (registers) return Response.json({ success: true, agent: { id: 1 }, key: "wka_bench" }, { status: 201 });
      return Response.json({ success: true, accepted: body.samples?.length });
    },
  });

const measure = async (pid: number, seconds: number, each: () => Promise<unknown>, interval: number) => {
  const before = usage(pid).cpu;
  const begun = performance.now();
  for (let passed = 0; passed < seconds; passed += interval) {
    await each();
    await Bun.sleep(Math.min(interval, seconds - passed) * 1000);
  }
  const elapsed = (performance.now() - begun) / 1000;
  return {
    cpu_percent_of_one_core: round(((usage(pid).cpu - before) / elapsed) * 100, 3),
    resident_mb: round(residentMemory(pid)),
    private_mb: round(privateMemory(pid)),
  };
};

const measureAgent = async (seconds: number, interval: number, options: string[]) => {
  const [state, server] = [temporaryDirectory(), standIn()];
  const child = Bun.spawn(
    [EXECUTABLE, "agent", "start", "--interval", String(interval), "--state", state, ...options],
    {
      env: { PATH: process.env.PATH, WAKEFUL_SERVER: `http://127.0.0.1:${server.port}`, WAKEFUL_TOKEN: "wkt_bench" },
      stdout: "ignore",
      stderr: "inherit",
    },
  );
  // The start and the first sample are not part of the running cost.
  await Bun.sleep(10_000);
  const found = await measure(child.pid, seconds, async () => {}, interval);
  child.kill("SIGTERM");
  await child.exited;
  await server.stop(true);
  remove(state);
  return found;
};

const measureExporter = async (seconds: number, interval: number) => {
  if (!existsSync(EXPORTER)) return null;
  const address = `127.0.0.1:${20_000 + Math.floor(Math.random() * 10_000)}`;
  const child = Bun.spawn([EXPORTER, `--web.listen-address=${address}`], { stdout: "ignore", stderr: "ignore" });
  await Bun.sleep(2000);
  const scrape = async () => (await fetch(`http://${address}/metrics`)).text();
  await scrape();
  const found = await measure(child.pid, seconds, scrape, interval);
  child.kill("SIGTERM");
  await child.exited;
  return found;
};

/**
 * Cost of the agent at one sample a minute, beside Debian's node exporter scraped as often, for ten minutes:
 * `--interval` and `--seconds` change that. `--containers SOCKET` lets the agent read an engine as well.
 */
export const bench = async (args: string[]): Promise<object> => {
  const option = (name: string, fallback: number) =>
    Number(args[args.indexOf(`--${name}`) + 1 || args.length] ?? fallback);
  const [seconds, interval] = [option("seconds", 600), option("interval", 60)];
  const engine = args.includes("--containers") ? args[args.indexOf("--containers") + 1] : undefined;
  const [agent, node_exporter] = await Promise.all([
    measureAgent(seconds, interval, engine ? [`--containers=${engine}`] : []),
    measureExporter(seconds, interval),
  ]);
  return { seconds, interval, agent, node_exporter };
};
