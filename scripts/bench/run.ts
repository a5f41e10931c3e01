/**
 * Benchmarks, by name: `bun run bench checks`. Each runs the built executable as a process of its own, against real
 * targets on loopback, and prints one line of JSON.
 */
const names = [
  "checks",
  "lateness",
  "hung",
  "silent-dns",
  "accuracy",
  "writes",
  "api",
  "ingest",
  "agents-api",
  "start",
  "size",
  "alerts",
  "crash",
  "agent",
  "status",
  "logins",
  "sign-in-flood",
  "fuzz",
  "metrics",
  "instances",
  "soak",
  "growth",
  "faults",
  "stranger",
  "quotas",
] as const;

const [name, ...rest] = process.argv.slice(2);
if (!names.includes(name as (typeof names)[number])) {
  console.error(`usage: bun run bench ${names.join("|")} [options]`);
  process.exit(2);
}
const { bench } = (await import(`./${name}.ts`)) as { bench: (args: string[]) => Promise<object> };
console.log(JSON.stringify({ bench: name, ...(await bench(rest)) }));
process.exit(0);

export {};
