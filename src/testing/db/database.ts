import { afterAll } from "bun:test";
import { SQL } from "bun";
import { readConfig } from "../../core/config";
import type { Database } from "../../db/database";
import { migrationTimes } from "../../db/migrate";
import { openDatabase, openMemoryDatabase } from "../../db/open";
import { postgresDatabase } from "../../db/postgres/database";
import type { Timeouts } from "../../db/postgres/watchdog-pool";
import { type Connections, openConnections } from "./lease";
import { emptyDatabase, endSessions, shapeOf } from "./truncate";

const server = readConfig(process.env).databaseUrl;
/**
 * A migrated, empty database that is copied for each test. Two branches with other migrations have two templates on
 * the same server.
 */
const TEMPLATE = `wakeful_template_${Bun.hash.crc32(migrationTimes("postgres").join()).toString(16)}`;
/** An arbitrary advisory lock key: a template without connections is required while it is copied. */
const LOCK = 72_190;
const NAME = "wakeful_test_";
const OURS = `${NAME}${process.pid}_`;

const urlOf = (name: string) => Object.assign(new URL(server), { pathname: name }).href;

type Client = { prepare: (text: string) => unknown; serialize: () => Uint8Array };

const clientOf = (database: Database): Client => (database as unknown as { $client: Client }).$client;

let migrated: Promise<Uint8Array> | undefined;

const migrate = async (): Promise<Uint8Array> => {
  const database = await openMemoryDatabase();
  const content = clientOf(database).serialize();
  await database.close();
  return content;
};

/** Opens a copy of a migrated, empty database, because migrating each one takes ten times longer. */
const openCopy = async (): Promise<Database> => {
  migrated ??= migrate();
  return openMemoryDatabase(await migrated);
};

type Cluster = { admin: SQL; shape: string };
let cluster: Promise<Cluster> | undefined;
/** Empty databases for reuse, because emptying one is much faster than creating one. */
const empty: string[] = [];
/** The open connections to databases of this file. */
const connected = new Map<string, Connections>();
/** The databases that stay connected between tests. A server has few connections, and few tests need many databases. */
const CONNECTED = 2;
let emptying: Promise<unknown>[] = [];

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const drop = (admin: SQL, name: string) => admin.unsafe(`drop database if exists ${name} with (force)`);

/** Reuses the databases of this process's previous test file, and drops the databases of dead processes. */
const takeOver = async (admin: SQL): Promise<void> => {
  const rows = await admin`select datname, shobj_description(oid, 'pg_database') = 'empty' as empty from pg_database
    where starts_with(datname, ${NAME})`;
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
    // Completes the migrations of a template whose creation was cut off.
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

/** The open connections to a database, which are made if few databases have any. */
const connectionsOf = async (name: string): Promise<Connections | undefined> => {
  if (!connected.has(name) && connected.size < CONNECTED) connected.set(name, await openConnections(urlOf(name)));
  return connected.get(name);
};

/** Closes the open connections to a database, so that a test has the only ones. */
const disconnect = async (name: string): Promise<void> => {
  await connected.get(name)?.close();
  connected.delete(name);
};

/** Empties a database for the next test, or drops it if a test has changed its tables. */
const recycle = async ({ admin, shape }: Cluster, name: string): Promise<void> => {
  const connections = connected.get(name);
  await endSessions(admin, name, connections?.application ?? null);
  const isUnchanged = (await emptyDatabase(urlOf(name), connections?.cleaner)) === shape;
  if (isUnchanged && connections) empty.push(name);
  // The next test takes the last one.
  else if (isUnchanged) empty.unshift(name);
  else {
    await disconnect(name);
    await drop(admin, name);
  }
};

// Runs after the file that loads this module first. Later files of a process that shares modules prepare the databases
// again, and leave them open until the process ends.
afterAll(async () => {
  if (!cluster) return;
  const { admin } = await cluster;
  cluster = undefined;
  await Promise.all(emptying.splice(0));
  for (const connections of connected.values()) await connections.close();
  connected.clear();
  for (const name of empty.splice(0)) await admin.unsafe(`comment on database ${name} is 'empty'`);
  await admin.close();
});

/**
 * Opens an empty database: in memory, or on the server in TEST_DATABASE_URL. With `way`, which returns another URL for
 * it, or `timeouts`, the connections are new ones. Its rows are deleted when it is closed.
 */
export const openTestDatabase = async (way?: (url: string) => string, timeouts?: Timeouts): Promise<Database> => {
  if (!server) return openCopy();
  cluster ??= prepare();
  const known = await cluster;
  await Promise.all(emptying);
  emptying = [];
  const name = empty.pop() ?? (await create(known.admin));
  const isSeparate = Boolean(way || timeouts);
  if (isSeparate) await disconnect(name);
  const connections = isSeparate ? undefined : await connectionsOf(name);
  const database = connections
    ? postgresDatabase(connections.lend())
    : await openDatabase({ databaseUrl: (way ?? String)(urlOf(name)), dataDir: "" }, timeouts);
  const { close } = database;
  return Object.assign(database, {
    close: async () => {
      await close();
      emptying.push(recycle(known, name));
    },
  });
};

/** Counts the statements that run on a SQLite database. The result returns how many there were since its last call. */
export const countStatements = (database: Database): (() => number) => {
  const client = clientOf(database);
  const { prepare } = client;
  let count = 0;
  client.prepare = (text) => {
    count++;
    return prepare(text);
  };
  return () => {
    const counted = count;
    count = 0;
    return counted;
  };
};
