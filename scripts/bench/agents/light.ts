import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lightAgent } from "../../../src/modules/agents/install/light/light-agent";
import { remove, round, temporaryDirectory } from "../lib/server";

/** Milliseconds of processor time of a process and of the children that it has waited for. */
const processorTime = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const ticks = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 15)
    .map(Number);
  // A tick is a hundredth of a second.
  return ticks.reduce((sum, each) => sum + each, 0) * 10;
};

/** Resident kilobytes of a process and all that it started. */
const residentTree = (pid: number): number => {
  const own = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  return children.reduce((sum, child) => sum + residentTree(child), own);
};

const measure = async (command: string[], path: string, seconds: number, interval: number) => {
  const folder = temporaryDirectory();
  const script = join(folder, "agent.sh");
  writeFileSync(script, lightAgent);
  let reports = 0;
  const hub = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      await request.arrayBuffer();
      if (request.url.endsWith("/register"))
        return Response.json({ success: true, agent: { id: 1 }, key: "wka_bench" }, { status: 201 });
      reports++;
      return Response.json({ success: true, accepted: 1 });
    },
  });
  const words = ["start", "--interval", String(interval), "--state", join(folder, "state")];
  const child = Bun.spawn([...command, script, ...words], {
    env: { PATH: path, WAKEFUL_SERVER: `http://127.0.0.1:${hub.port}`, WAKEFUL_TOKEN: "wkt_bench" },
    stdout: "ignore",
    stderr: "inherit",
  });
  // The start and the first sample are not part of the running cost.
  await Bun.sleep(8000);
  const [before, begun, first] = [processorTime(child.pid), performance.now(), reports];
  const resident: number[] = [];
  for (let passed = 0; passed < seconds; passed += 5) {
    await Bun.sleep(5000);
    resident.push(residentTree(child.pid));
  }
  const used = processorTime(child.pid) - before;
  const sent = reports - first;
  const elapsed = performance.now() - begun;
  child.kill("SIGTERM");
  await child.exited;
  await hub.stop(true);
  const files = readdirSync(join(folder, "state")).length;
  remove(folder);
  return {
    reports: sent,
    cpu_percent_of_one_core: round((used / elapsed) * 100, 3),
    cpu_ms_a_report: round(used / Math.max(1, sent), 1),
    resident_mb_between_reports: round(resident.toSorted((a, b) => a - b)[Math.floor(resident.length / 2)]! / 1024, 2),
    files,
  };
};

/**
 * Cost of the light agent at one sample a minute under each shell, for five minutes: `--interval` and `--seconds` change that.
 */
export const bench = async (args: string[]): Promise<object> => {
  const option = (name: string, fallback: number) =>
    Number(args[args.indexOf(`--${name}`) + 1 || args.length] ?? fallback);
  const [seconds, interval] = [option("seconds", 300), option("interval", 60)];
  const folder = temporaryDirectory();
  mkdirSync(join(folder, "bin"));
  Bun.spawnSync([Bun.which("busybox") ?? "busybox", "--install", "-s", join(folder, "bin")]);
  const path = process.env.PATH ?? "";
  const [dash, bash, busybox] = await Promise.all([
    measure(["dash"], path, seconds, interval),
    measure(["bash"], path, seconds, interval),
    measure([join(folder, "bin/ash")], join(folder, "bin"), seconds, interval),
  ]);
  remove(folder);
  return { seconds, interval, bytes: lightAgent.length, dash, bash, busybox };
};
