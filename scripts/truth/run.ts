/**
 * Runs the executable in a world whose truth is known, and compares its claims with it: `bun scripts/truth/run.ts`. Options:
 *
 *   --minutes 35       the length of the full scenario, 5 by default
 *   --scenario NAME    another one: one-target, one-network, cuts, clock, instances, names or
 *                      names-and-addresses
 *   --short            the scenario of the suite, whose limits of time are not checked
 *   --target           with CONNECTIVITY_TARGET
 *   --postgres         on PostgreSQL, which it starts
 *   --save FILE        also writes what was claimed, what was true, and the hub's log, as JSON
 *
 * It ends with 1 when a claim is wrong or a limit is exceeded. Everything runs in namespaces of its own, which end with it.
 * Needs Linux, the rights to open namespaces, and Debian's package faketime for the scenario `clock`.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "../bench/lib/postgres";
import { installConsole } from "../smoke/lib/hub";
import { compare } from "./compare";
import { exceeded, measure } from "./measures";
import { ENTER } from "./namespaces";
import { play } from "./play";
import { relay } from "./relay";
import type { Scenario } from "./scenario";
import { clockScenario } from "./scenarios/clock";
import { manyCuts } from "./scenarios/cuts";
import { fullScenario } from "./scenarios/full";
import { twoInstances } from "./scenarios/instances";
import { lyingNames } from "./scenarios/names";
import { shortScenario } from "./scenarios/short";
import { oneNetwork, oneTarget } from "./scenarios/small";
import { measuresOf, tableOf } from "./table";

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    scenario: { type: "string", default: "full" },
    short: { type: "boolean", default: false },
    target: { type: "boolean", default: false },
    postgres: { type: "boolean", default: false },
    save: { type: "string" },
    inside: { type: "string" },
    database: { type: "string" },
  },
});

const SCENARIOS: Record<string, () => Scenario> = {
  full: () => fullScenario(Number(options.minutes)),
  short: shortScenario,
  "one-target": oneTarget,
  "one-network": oneNetwork,
  clock: clockScenario,
  instances: twoInstances,
  names: () => lyingNames(false),
  "names-and-addresses": () => lyingNames(true),
  cuts: manyCuts,
};
const name = options.short ? "short" : options.scenario;
const scenario = SCENARIOS[name]?.();
if (!scenario) throw new Error(`there is no scenario ${name}, only ${Object.keys(SCENARIOS).join(", ")}`);

const socketIn = (folder: string): string => join(folder, "postgres");

/** Begins the namespaces, runs this script in them, and removes its files. */
const outside = async ({ instances }: Scenario): Promise<number> => {
  const installation = installConsole();
  const postgres = options.postgres || instances === 2 ? startPostgres({ careless: true }) : null;
  const { hostname: host = "", port = "" } = postgres ? new URL(postgres.url) : {};
  const server = postgres && (await relay(socketIn(installation.folder), { host, port: Number(port) }));
  const inner = ["--inside", installation.folder, ...(postgres ? ["--database", postgres.url] : [])];
  const child = Bun.spawn([...ENTER, process.execPath, ...process.argv.slice(1), ...inner], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill("SIGKILL"));
  try {
    return await child.exited;
  } finally {
    server?.close();
    await postgres?.sql.close();
    postgres?.remove();
    installation.remove();
  }
};

const inside = async (scenario: Scenario, folder: string): Promise<number> => {
  const note = (text: string) => console.error(`${new Date().toISOString()} ${text}`);
  const steady = scenario.targets.find(({ failures }) => failures.length === 0);
  const settings: Record<string, string> =
    options.target && steady ? { CONNECTIVITY_TARGET: `${steady.address}:${steady.port}` } : {};
  if (options.save) settings.LOG_LEVEL = "debug";
  const { world, log } = await play({
    place: { folder, executable: join(folder, "wakeful") },
    scenario,
    settings,
    postgres: options.database ? { url: options.database, socket: socketIn(folder) } : null,
    note,
  });
  if (options.save) writeFileSync(options.save, JSON.stringify({ ...world, log }));
  const { rows, found, wrong } = compare(world);
  const measures = measure(world, found);
  const over = options.short ? [] : exceeded(measures);
  console.log(`${tableOf(rows)}\n\n${measuresOf(measures)}\n`);
  for (const text of wrong) console.log(text);
  for (const { name } of over) console.log(`over its limit: ${name}`);
  const counts = `${world.claims.length} claims, ${world.messages.length} messages`;
  console.log(`${counts}, ${wrong.length} wrong, ${over.length} over a limit`);
  return wrong.length + over.length === 0 ? 0 : 1;
};

process.exit(await (options.inside ? inside(scenario, options.inside) : outside(scenario)));
