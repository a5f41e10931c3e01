/**
 * Runs the executable in a world whose truth is known, and compares its claims with it: `bun scripts/truth/run.ts`. Options:
 * `--minutes 35` (5 by default), `--short` (the scenario of the suite), `--target` (with CONNECTIVITY_TARGET). It ends with 1
 * when a claim is wrong. Everything runs in namespaces of its own, which end with it. Needs Linux and the rights to open
 * namespaces.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { installConsole } from "../smoke/lib/hub";
import { compare, tableOf } from "./compare";
import { ENTER } from "./namespaces";
import { play } from "./play";
import { fullScenario, shortScenario } from "./scenario";

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    short: { type: "boolean", default: false },
    target: { type: "boolean", default: false },
    inside: { type: "string" },
  },
});

/** Begins the namespaces, runs this script in them, and removes its files. */
const outside = async (): Promise<number> => {
  const installation = installConsole();
  const child = Bun.spawn([...ENTER, process.execPath, ...process.argv.slice(1), "--inside", installation.folder], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill("SIGKILL"));
  try {
    return await child.exited;
  } finally {
    installation.remove();
  }
};

const inside = async (folder: string): Promise<number> => {
  const note = (text: string) => console.error(`${new Date().toISOString()} ${text}`);
  const scenario = options.short ? shortScenario() : fullScenario(Number(options.minutes));
  const steady = scenario.targets.find(({ failures }) => failures.length === 0);
  const settings: Record<string, string> =
    options.target && steady ? { CONNECTIVITY_TARGET: `${steady.address}:${steady.port}` } : {};
  const checks = options.short ? [2, 13, 34] : [];
  const world = await play({
    place: { folder, executable: join(folder, "wakeful") },
    scenario,
    settings,
    note,
    checks,
  });
  const { rows, wrong } = compare(world);
  console.log(tableOf(rows));
  for (const text of wrong) console.log(text);
  console.log(`${world.claims.length} claims, ${world.messages.length} messages, ${wrong.length} wrong`);
  return wrong.length === 0 ? 0 : 1;
};

process.exit(await (options.inside ? inside(options.inside) : outside()));
