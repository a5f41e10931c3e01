import { afterAll } from "bun:test";
import { SQL } from "bun";
import { readConfig } from "../config";
import { type Database, openDatabase, openMemoryDatabase } from "../db/database";

const server = readConfig(process.env).databaseUrl;
/** Tests are made copies of this one, which has been migrated and is otherwise empty. */
const TEMPLATE = "wakeful_test_template";
/** Any number: nobody may be connected to a template while it is copied. */
const LOCK = 72_190;

const urlOf = (name: string) => Object.assign(new URL(server), { pathname: name }).href;

let administration: SQL | undefined;
let prepared: Promise<void> | undefined;

const prepareTemplate = async (admin: SQL): Promise<void> => {
  await admin.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK})`;
    const [found] = await tx`select 1 from pg_database where datname = ${TEMPLATE}`;
    if (!found) await admin.unsafe(`create database ${TEMPLATE}`);
    // An older template is brought up to this version, a current one is left as it is.
    await (await openDatabase({ databaseUrl: urlOf(TEMPLATE), dataDir: "" })).close();
  });
};

const createCopy = async (admin: SQL, name: string): Promise<void> => {
  await admin.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK})`;
    await admin.unsafe(`create database ${name} template ${TEMPLATE}`);
  });
};

const createNext = async (): Promise<string> => {
  administration ??= new SQL({ url: server, max: 4 });
  prepared ??= prepareTemplate(administration);
  await prepared;
  const name = `wakeful_test_${crypto.randomUUID().replaceAll("-", "")}`;
  await createCopy(administration, name);
  return name;
};

const drop = async (name: string): Promise<void> => {
  await administration?.unsafe(`drop database if exists ${name} with (force)`);
};

// Making one and dropping one take longer than most tests: both go on while a test runs.
let next: Promise<string> | undefined;
const dropping: unknown[] = [];
afterAll(async () => {
  if (next) await drop(await next);
  await Promise.all(dropping);
});

/** An empty database of its own: in memory, or on the server that TEST_DATABASE_URL names. Closing it removes it. */
export const openTestDatabase = async (): Promise<Database> => {
  if (!server) return openMemoryDatabase();
  const name = await (next ?? createNext());
  next = createNext();
  const database = await openDatabase({ databaseUrl: urlOf(name), dataDir: "" });
  const { close } = database;
  return Object.assign(database, {
    close: async () => {
      await close();
      dropping.push(drop(name));
    },
  });
};
