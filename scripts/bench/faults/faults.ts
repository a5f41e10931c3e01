const names = [
  "kill",
  "kill-move",
  "disk-full",
  "clock",
  "slow-disk",
  "idle",
  "slow-loris",
  "instance",
  "connection",
] as const;

type Found = { losses: Record<string, number> };

/** `bun run bench faults NAME`: injects a fault, prints the outcome, and fails when something was lost. */
export const bench = async ([name, ...args]: string[]): Promise<object> => {
  if (!names.includes(name as (typeof names)[number])) {
    console.error(`usage: bun run bench faults ${names.join("|")} [options]`);
    process.exit(2);
  }
  const { fault } = (await import(`./${name}.ts`)) as { fault: (args: string[]) => Promise<Found> };
  const found = { fault: name, ...(await fault(args)) };
  if (Object.values(found.losses).some((count) => count !== 0)) {
    console.log(JSON.stringify({ bench: "faults", ...found }));
    process.exit(1);
  }
  return found;
};
