import { SQL } from "bun";

const withConnection = async <T>(url: string, use: (connection: SQL) => Promise<T>): Promise<T> => {
  const connection = new SQL({ url, max: 1 });
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
};

const readShape = async (connection: SQL): Promise<string> => {
  const [row] =
    await connection`select md5(string_agg(c.relname || '.' || a.attname, ',' order by c.relname, a.attnum)) as shape
    from pg_class c join pg_attribute a on a.attrelid = c.oid where c.relnamespace = 'public'::regnamespace`;
  return row.shape;
};

/** Identifies the tables, columns and indexes of a database. */
export const shapeOf = (url: string): Promise<string> => withConnection(url, readShape);

/** Ends the sessions that a test has left open, so that they write nothing more, but keeps the sessions of the application `kept`. */
export const endSessions = async (admin: SQL, name: string, kept: string | null): Promise<void> => {
  for (;;) {
    const left = await admin`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = ${name} and application_name is distinct from ${kept}::text`;
    if (left.length === 0) return;
    await Bun.sleep(1);
  }
};

const deleteRows = async (connection: SQL): Promise<string> => {
  await connection.unsafe(`do $$
    declare found record;
    begin
      -- In any order: references are not looked at.
      set local session_replication_role = replica;
      for found in select tablename from pg_tables where schemaname = 'public' loop
        execute format('delete from public.%I', found.tablename);
      end loop;
      for found in select sequencename from pg_sequences where schemaname = 'public' loop
        perform setval(format('public.%I', found.sequencename)::regclass, 1, false);
      end loop;
    end $$`);
  return readShape(connection);
};

/** Deletes every row and restarts the ids, on this connection or a new one. Returns the shape of the database. */
export const emptyDatabase = (url: string, connection?: SQL): Promise<string> =>
  connection ? deleteRows(connection) : withConnection(url, deleteRows);
