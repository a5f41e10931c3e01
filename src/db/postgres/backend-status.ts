import { SQL } from "bun";
import { isConnectionLost, isUnavailable } from "../errors";
import { within } from "../health";

/** A PostgreSQL server, and the application name of all connections that this process has to it. */
export type Server = { url: string; connection: { application_name: string } };

/** Runs one query on a separate connection. @throws when there is no answer within the timeout, in milliseconds */
const querySide = async (server: Server, text: string, timeout: number): Promise<Record<string, unknown>[]> => {
  const client = new SQL({ ...server, max: 1, connectionTimeout: timeout / 1000 });
  try {
    return await within(timeout, client.unsafe(text, [server.connection.application_name]));
  } finally {
    await client.close({ timeout: 0 });
  }
};

/**
 * What the server's backends for this process do: at least one is `busy`, all are `idle`, or the server is
 * `unreachable`. A server that answers without showing its backends counts as busy.
 */
export const backendState = async (server: Server, timeout: number): Promise<"busy" | "idle" | "unreachable"> => {
  try {
    const [row] = await querySide(
      server,
      `select count(*) filter (where pid = pg_backend_pid()) as seen,
        count(*) filter (where pid <> pg_backend_pid() and coalesce(state, '') not like 'idle%') as busy
        from pg_stat_activity where application_name = $1`,
      timeout,
    );
    return Number(row?.seen) === 1 && Number(row?.busy) === 0 ? "idle" : "busy";
  } catch (error) {
    return isConnectionLost(error) ? "unreachable" : "busy";
  }
};

/**
 * Terminates the backends of connections that were dropped. Otherwise they would hold their locks and their places
 * among the server's connections until the server's TCP times out, which may take hours.
 * @throws when the server is not available
 */
export const terminateBackends = async (server: Server, timeout: number): Promise<void> => {
  try {
    await querySide(
      server,
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = $1 and pid <> pg_backend_pid()`,
      timeout,
    );
  } catch (error) {
    // A server without this function is available too.
    if (isUnavailable(error)) throw error;
  }
};
