import { openPostgresStore } from "./postgres-store";
import { openSqliteStore } from "./sqlite-store";
import type { Store } from "./store";

/**
 * Opens one side of a move, named as `sqlite:FILE` or `postgres://…`.
 * @throws when the name has another form or a source does not exist
 */
export const openStore = (address: string, use: "source" | "target"): Store => {
  const [, file] = /^sqlite:(.+)$/.exec(address) ?? [];
  if (file) return openSqliteStore(file, use);
  if (/^postgres(ql)?:\/\//.test(address) && URL.canParse(address)) return openPostgresStore(address);
  throw new Error(`${use === "source" ? "--from" : "--to"} is not usable: expected sqlite:FILE or postgres://…`);
};
