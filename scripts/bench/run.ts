/**
 * Runs a benchmark by name: `bun run bench checks`. Each runs the built executable as a separate process against real
 * targets on loopback, and prints one line of JSON.
 */
const folders = {
  checks: ["checks", "lateness", "hung", "silent-dns", "accuracy", "writes", "pings", "heartbeats", "instances"],
  agents: ["ingest", "agents-api", "agent", "light"],
  alerts: ["alerts"],
  api: ["api", "live", "status", "metrics", "logins", "sign-in-flood", "fuzz", "stranger", "quotas"],
  page: ["scroll"],
  process: ["start", "size", "soak", "growth", "crash", "crash-digests", "crash-escalations", "disk", "idle-cpu"],
  faults: ["faults", "failover"],
};

const [name, ...rest] = process.argv.slice(2);
const folder = Object.entries(folders).find(([, names]) => names.includes(name ?? ""))?.[0];
if (!folder) {
  console.error(`usage: bun run bench ${Object.values(folders).flat().join("|")} [options]`);
  process.exit(2);
}
const { bench } = (await import(`./${folder}/${name}.ts`)) as { bench: (args: string[]) => Promise<object> };
console.log(JSON.stringify({ bench: name, ...(await bench(rest)) }));
process.exit(0);

export {};
