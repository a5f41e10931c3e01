import { SQL } from "bun";
import { within } from "./probe";
import { isConnectionLost, isDatabaseTrouble } from "./trouble";

/** A PostgreSQL, and the name that all of this process's connections to it go by. */
export type Server = { url: string; connection: { application_name: string } };

/** On a connection of its own, which nothing else waits for. @throws when it is not answered in so many milliseconds */
const askAside = async (server: Server, text: string, milliseconds: number): Promise<Record<string, unknown>[]> => {
  const client = new SQL({ ...server, max: 1, connectionTimeout: milliseconds / 1000 });
  try {
    return await within(milliseconds, client.unsafe(text, [server.connection.application_name]));
  } finally {
    await client.close({ timeout: 0 });
  }
};

/**
 * What becomes of that which was asked of a server: it may be `busy` with it, or `idle`, or be `away` itself. One that
 * answers and does not say counts as busy.
 */
export const lookAt = async (server: Server, milliseconds: number): Promise<"busy" | "idle" | "away"> => {
  try {
    const [row] = await askAside(
      server,
      `select count(*) filter (where pid = pg_backend_pid()) as seen,
        count(*) filter (where pid <> pg_backend_pid() and coalesce(state, '') not like 'idle%') as busy
        from pg_stat_activity where application_name = $1`,
      milliseconds,
    );
    return Number(row?.seen) === 1 && Number(row?.busy) === 0 ? "idle" : "busy";
  } catch (error) {
    return isConnectionLost(error) ? "away" : "busy";
  }
};

/**
 * Ends what is left of the connections that were given up: until the server hears of that by itself, which may take
 * hours, they keep their locks and their places.
 * @throws when the server cannot be used yet
 */
export const endOthers = async (server: Server, milliseconds: number): Promise<void> => {
  try {
    await askAside(
      server,
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = $1 and pid <> pg_backend_pid()`,
      milliseconds,
    );
  } catch (error) {
    // An engine that has no such thing is there all the same.
    if (isDatabaseTrouble(error)) throw error;
  }
};
