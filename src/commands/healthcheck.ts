import { healthAddress, readConfig } from "../core/config";
import { openDatabase } from "../db/open";
import { readAllHistory } from "./stored-history";

export const help = `usage: wakeful healthcheck [--deep]

Asks the hub on this machine whether it is healthy: exits 0 if it is, 1 if not. It finds the hub by the same
settings as the hub itself: HOST (127.0.0.1 when the hub listens on every address), PORT and BASE_PATH.

  --deep   read all stored checks and samples instead, also while the hub runs: names the monitor or the agent and
           the hour of what is damaged, and exits 1 if anything is. It finds the database by DATA_DIR or DATABASE_URL.
`;

const askServer = async (): Promise<void> => {
  const address = healthAddress(readConfig(process.env));
  const response = await fetch(address, { signal: AbortSignal.timeout(5000) }).catch(() => {
    throw new Error(`nothing answers at ${new URL(address).host}`);
  });
  if (!response.ok) throw new Error(`the hub answers ${response.status}`);
  process.stdout.write("ok\n");
};

/** @throws when anything is damaged */
const readDatabase = async (): Promise<void> => {
  const db = await openDatabase(readConfig(process.env));
  try {
    const { read, damaged } = await readAllHistory(db, (place) => process.stdout.write(`damaged: ${place}\n`));
    if (damaged > 0) throw new Error(`${damaged} of ${read} blocks and packs are damaged`);
    process.stdout.write(`ok: ${read} blocks and packs\n`);
  } finally {
    await db.close();
  }
};

export const run = ([option, ...more]: string[] = []): Promise<void> => {
  const unknown = option === "--deep" ? more[0] : option;
  if (unknown !== undefined)
    throw new Error(`healthcheck takes no "${unknown}". wakeful healthcheck --help lists its options.`);
  return option === "--deep" ? readDatabase() : askServer();
};
