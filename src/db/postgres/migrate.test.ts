import { describe, expect, it, onTestFinished } from "bun:test";
import { SQL } from "bun";
import { processDialect, readConfig } from "../../core/config";
import { openDatabase } from "../open";

const server = readConfig(process.env).databaseUrl;

/** A database without tables, and a role that owns nothing. */
const setUp = async () => {
  const name = `wakeful_rights_${crypto.randomUUID().slice(0, 8)}`;
  const admin = new SQL({ url: server, max: 1 });
  const url = (database: string, role?: string) =>
    Object.assign(new URL(server), { pathname: database, ...(role && { username: role, password: "x" }) }).href;
  await admin.unsafe(`create role ${name} login password 'x'`);
  await admin.unsafe(`create database ${name}`);
  const inside = new SQL({ url: url(name), max: 1 });
  onTestFinished(async () => {
    await inside.close();
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.unsafe(`drop role ${name}`);
    await admin.close();
  });
  const open = async (dataDir = "") => (await openDatabase({ databaseUrl: url(name, name), dataDir })).close();
  return { name, inside, open };
};

describe.if(processDialect === "postgres")("a role without the right to create", () => {
  it("is named with the database or the schema, and needs none on the database once the schema drizzle is there", async () => {
    const { name, inside, open } = await setUp();
    await expect(open()).rejects.toThrow(
      `DATABASE_URL is not usable: the role "${name}" has no CREATE right on the database "${name}"`,
    );
    await inside.unsafe(`grant create on database ${name} to ${name}`);
    await expect(open()).rejects.toThrow(`the role "${name}" has no CREATE right on the schema "public"`);
    await inside.unsafe(`grant create on schema public to ${name}`);
    await open();
    await inside.unsafe(`revoke create on database ${name} from ${name}`);
    await inside.unsafe(`revoke create on schema public from ${name}`);
    await open();
  });
});

describe.if(processDialect === "postgres")("a database of before the first release", () => {
  it("is refused with the reason", async () => {
    const { name, inside, open } = await setUp();
    await inside.unsafe(`grant create on database ${name} to ${name}`);
    await inside.unsafe(`grant create on schema public to ${name}`);
    await open();
    await inside.unsafe("update drizzle.__drizzle_migrations set created_at = 1700000000000");
    await expect(open()).rejects.toThrow("the database was made by a version before 0.1; it can't be migrated");
  });
});

describe.if(processDialect === "postgres")("a server without a free connection", () => {
  it("is waited for at the start", async () => {
    const { name, inside, open } = await setUp();
    await inside.unsafe(`grant create on database ${name} to ${name}`);
    await inside.unsafe(`grant create on schema public to ${name}`);
    await inside.unsafe(`alter role ${name} connection limit 0`);
    const opened = open();
    await inside.unsafe("select 1");
    await inside.unsafe(`alter role ${name} connection limit -1`);
    await opened;
  });
});
