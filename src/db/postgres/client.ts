import { SQL } from "bun";

type Options = Pick<SQL.PostgresOrMySQLOptions, "max" | "connectionTimeout" | "connection"> & { url: string };

/** The parameter of a URL that names the mode of a pooler, which has the name and the values of pgbouncer's setting. */
const POOL_MODE = "pool_mode";

/**
 * Opens Bun's client. With `pool_mode=transaction` in the URL, each transaction may run on another server connection, where
 * prepared statements are missing or are another client's.
 */
export const openClient = ({ url, ...options }: Options): SQL => {
  const address = new URL(url);
  const prepare = address.searchParams.get(POOL_MODE) !== "transaction";
  address.searchParams.delete(POOL_MODE);
  return new SQL({ ...options, url: address.href, bigint: false, prepare });
};
