import { parseArgs } from "node:util";
import { INSTANCE_TIMEOUT } from "../cluster/instances";
import { readConfig } from "../core/config";
import { assertCurrent, moveData, openStore, type Progress } from "../db/move/move";
import type { Store } from "../db/move/store";
import { systemClock } from "../lib/time";

export const help = `usage: wakeful migrate-data --from ADDRESS --to ADDRESS

Moves an installation from one database to another: SQLite to PostgreSQL, or back. An address is sqlite:FILE or
postgres://user:password@host/database; one that is left out is DATABASE_URL, so that a password need not stand on a
command line.

  wakeful migrate-data --from sqlite:/var/lib/wakeful/wakeful.db --to postgres://wakeful@db.example/wakeful

Everything goes along: accounts, sessions, API keys, agents' keys, monitors and their history. Stop every hub on both
databases first: a move is refused while one runs. The source is read as it is at one moment and is not changed. The
target has to be empty. A move that was cut short goes on where it ended when the same command is given again, and no
hub starts on the target before it is whole. At the end all rows of both sides are compared.
`;

const formatted = (count: number) => count.toLocaleString("en-US");

/** Prints one line per table, and progress on a terminal. */
const createProgress = (write: (text: string) => void, terminal: boolean): Progress => {
  let last = Number.NEGATIVE_INFINITY;
  return (step, table, done, total) => {
    const ended = done >= total;
    const now = performance.now();
    if (!ended && now - last < (terminal ? 100 : 5000)) return;
    last = now;
    const line = `${step === "copy" ? "copied  " : "compared"} ${table}: ${formatted(done)} of ${formatted(total)}`;
    write(terminal ? `\r${line}\u001b[K${ended ? "\n" : ""}` : `${line}\n`);
  };
};

const assertQuiet = async ({ name, lastSeen }: Store): Promise<void> => {
  const ago = systemClock.now() - (await lastSeen());
  if (ago < INSTANCE_TIMEOUT) {
    const seconds = Math.max(0, Math.round(ago / 1000));
    throw new Error(
      `a hub was seen on ${name} ${seconds} s ago: stop it, or wait ${INSTANCE_TIMEOUT / 1000} s if it was killed`,
    );
  }
};

const move = async (source: Store, target: Store): Promise<void> => {
  if ((await target.migrated()).length > 0) await assertQuiet(target);
  const write = (text: string) => void process.stdout.write(text);
  const progress = createProgress(write, process.stdout.isTTY === true);
  const { rows, copied, seconds, resumed } = await moveData(source, target, progress);
  await assertQuiet(source);
  const speed = `${formatted(copied)} rows in ${seconds.toFixed(1)} s, ${formatted(Math.round(copied / seconds))} a second`;
  const next =
    target.engine === "postgres"
      ? "Start the hub with DATABASE_URL set to its address."
      : "Start the hub without DATABASE_URL, with that file as wakeful.db in DATA_DIR.";
  write(`${resumed ? "Went on where an earlier run ended: copied" : "Copied"} ${speed}.\n`);
  write(`All ${formatted(rows)} rows in ${target.name} are the same as in ${source.name}. ${next}\n`);
};

export const run = async (words: string[]): Promise<void> => {
  const { values } = parseArgs({ args: words, options: { from: { type: "string" }, to: { type: "string" } } });
  const { databaseUrl } = readConfig(process.env);
  const [from, to] = [values.from ?? databaseUrl, values.to ?? databaseUrl];
  if (!from || !to)
    throw new Error("say from where to where: wakeful migrate-data --from sqlite:FILE --to postgres://…");
  if (from === to) throw new Error("--from and --to are the same database");
  const source = openStore(from, "source");
  try {
    await assertCurrent(source);
    await assertQuiet(source);
    const target = openStore(to, "target");
    await move(source, target).finally(target.close);
  } finally {
    await source.close();
  }
};
