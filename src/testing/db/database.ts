import { afterAll } from "bun:test";
import { SQL } from "bun";
import { readConfig } from "../../core/config";
import { type Database, openDatabase, openMemoryDatabase } from "../../db/database";
import type { Timeouts } from "../../db/postgres/watchdog-pool";
import { emptyDatabase, endSessions, shapeOf } from "./truncate";

const server = readConfig(process.env).databaseUrl;
/** Tests are made copies of this one, which has been migrated and is otherwise empty. */
const TEMPLATE = "wakeful_test_template";
/** Any number: nobody may be connected to a template while it is copied. */
const LOCK = 72_190;
const NAME = "wakeful_test_";
const OURS = `${NAME}${process.pid}_`;

const urlOf = (name: string) => Object.assign(new URL(server), { pathname: name }).href;

type Cluster = { admin: SQL; shape: string };
let cluster: Promise<Cluster> | undefined;
/** Empty ones that nobody uses: to make one takes longer than most tests, to empty one does not. */
const empty: string[] = [];
let emptying: Promise<unknown>[] = [];

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const drop = (admin: SQL, name: string) => admin.unsafe(`drop database if exists ${name} with (force)`);

/** What this process's last file of tests has left is used again; what dead processes have left goes. */
const takeOver = async (admin: SQL): Promise<void> => {
  const rows = await admin`select datname, shobj_description(oid, 'pg_database') = 'empty' as empty from pg_database
    where starts_with(datname, ${NAME}) and datname <> ${TEMPLATE}`;
  for (const { datname, empty: isEmpty } of rows as { datname: string; empty: boolean | null }[]) {
    if (datname.startsWith(OURS)) {
      await admin.unsafe(`comment on database ${datname} is null`);
      if (isEmpty) empty.push(datname);
    } else if (!isAlive(Number(datname.slice(NAME.length).split("_")[0]))) await drop(admin, datname);
  }
};

const prepare = async (): Promise<Cluster> => {
  const admin = new SQL({ url: server, max: 4 });
  const shape = await admin.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK})`;
    const [found] = await tx`select 1 from pg_database where datname = ${TEMPLATE}`;
    if (!found) await admin.unsafe(`create database ${TEMPLATE}`);
    // An older template is brought up to this version, a current one is left as it is.
    await (await openDatabase({ databaseUrl: urlOf(TEMPLATE), dataDir: "" })).close();
    const tables = await shapeOf(urlOf(TEMPLATE));
    await takeOver(admin);
    return tables;
  });
  return { admin, shape };
};

const create = async (admin: SQL): Promise<string> => {
  const name = `${OURS}${crypto.randomUUID().slice(0, 8)}`;
  await admin.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK})`;
    await admin.unsafe(`create database ${name} template ${TEMPLATE}`);
  });
  return name;
};

/** Empties a database for the next test, or drops it where a test has changed its tables. */
const recycle = async ({ admin, shape }: Cluster, name: string): Promise<void> => {
  await endSessions(admin, name);
  if ((await emptyDatabase(urlOf(name))) === shape) empty.push(name);
  else await drop(admin, name);
};

afterAll(async () => {
  if (!cluster) return;
  await Promise.all(emptying);
  const { admin } = await cluster;
  for (const name of empty) await admin.unsafe(`comment on database ${name} is 'empty'`);
  await admin.close();
});

/**
 * An empty database of its own: in memory, or on the server that TEST_DATABASE_URL names, reached at the address that
 * `way` makes of its own. Closing it removes what is in it.
 */
export const openTestDatabase = async (way = (url: string) => url, timeouts?: Timeouts): Promise<Database> => {
  if (!server) return openMemoryDatabase();
  cluster ??= prepare();
  const known = await cluster;
  await Promise.all(emptying);
  emptying = [];
  const name = empty.pop() ?? (await create(known.admin));
  const database = await openDatabase({ databaseUrl: way(urlOf(name)), dataDir: "" }, timeouts);
  const { close } = database;
  return Object.assign(database, {
    close: async () => {
      await close();
      emptying.push(recycle(known, name));
    },
  });
};
