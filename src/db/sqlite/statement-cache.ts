import type { Database as Sqlite } from "bun:sqlite";

/** As many statements stay prepared: to prepare one takes longer than to run it. */
const PREPARED = 500;

/**
 * Gives a connection's statements out again and again. They run to their end at once, so none is used twice at a time.
 * What it gives forgets them all: before that, closing the connection leaves the file open.
 */
export const cacheStatements = (client: Sqlite): (() => void) => {
  const kept = new Map<string, ReturnType<Sqlite["prepare"]>>();
  const prepare = client.prepare.bind(client);
  const forget = () => {
    for (const statement of kept.values()) statement.finalize();
    kept.clear();
  };
  client.prepare = ((text: string) => {
    const known = kept.get(text);
    if (known) return known;
    const statement = prepare(text);
    if (kept.size < PREPARED) kept.set(text, statement);
    return statement;
  }) as Sqlite["prepare"];
  return forget;
};
