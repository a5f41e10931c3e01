/**
 * Runs a benchmark by name: `bun run bench checks`; without a name, lists them. Each runs the built executable as a separate
 * process against real targets on loopback, prints one line of JSON, and fails if one of its `losses` is not zero.
 */
const BENCHMARKS = {
  checks: "100,000 monitors at 60 s (4 minutes)",
  instances: "three instances on PostgreSQL, one of which is killed (5 minutes)",
  ingest: "100,000 agents that report every 60 s (4 minutes)",
  lists: "lists, charts and the dashboard of 1,000 and of 100,000 monitors (4 minutes)",
  outages: "the list and the summary of 100,000 outages (1 minute)",
  windows: "maintenance windows of ten years in 20 zones against a walk through every minute (4 minutes)",
  changes: "the log of 1,000,000 changes, on both databases (3 minutes)",
  status: "visitors of the status page (2 minutes)",
  pages: "a status page of 50 components and its JSON, and memory of 500 pages (2 minutes)",
  "sign-in-flood": "the owner's sign-in during a flood of sign-ins (2 minutes)",
  disk: "bytes written and CPU time for each check and report (9 minutes)",
  start: "time and memory of a start (1 minute)",
  "first-visit": "from the navigation to the content of a screen (2 minutes)",
  scroll: "frames while a table of 10,000 monitors is scrolled (1 minute)",
  import: "preview and import of another product's database (2 minutes)",
  size: "of the executable and of the first load (seconds)",
  alerts: "from a change of state to the provider (10 minutes)",
  subscribers: "an incident to 10,000 subscribers through Postfix, and alerts during it (6 minutes; 10 with --gone)",
  "faults/kill": "SIGKILL during writes and escalations: nothing is lost (2 minutes)",
  "faults/kill-alerts": "SIGKILL during deliveries: no alert is lost (4 minutes)",
  "faults/kill-escalations": "SIGKILL during escalations: no step is lost (4 minutes)",
  "faults/kill-maintenance": "SIGKILL around windows: nothing is sent in one, and once at its end (4 minutes)",
  "faults/kill-move": "SIGKILL while checks are moved to blocks: none is lost (2 minutes)",
  "faults/database": "PostgreSQL crashes, is cut off and freezes: nothing is lost (4 minutes)",
  "faults/connections": "10,000 idle connections and 1,000 endless requests (1 minute)",
};

const [name, ...args] = process.argv.slice(2);
const path = Object.keys(BENCHMARKS).find((entry) => entry === name || entry === `faults/${name}`);
if (!path) {
  console.error("usage: bun run bench NAME [options]");
  for (const [entry, what] of Object.entries(BENCHMARKS))
    console.error(`  ${entry.replace("faults/", "").padEnd(18)}${what}`);
  process.exit(2);
}
type Bench = (args: string[]) => Promise<{ losses?: Record<string, number> }>;
const { bench } = (await import(`./${path}.ts`)) as { bench: Bench };
const result = await bench(args);
console.log(JSON.stringify({ bench: name, ...result }));
process.exit(Object.values(result.losses ?? {}).some((count) => count !== 0) ? 1 : 0);

export {};
