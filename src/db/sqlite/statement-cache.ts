import type { Database as Sqlite } from "bun:sqlite";

/** Maximum prepared statements. Preparing a statement takes longer than running it. */
const MAX_STATEMENTS = 500;

/**
 * Caches a connection's prepared statements. They run synchronously, so none is used twice at a time.
 * Returns a function that finalizes all of them, without which closing the connection leaves the file open.
 */
export const cacheStatements = (client: Sqlite): (() => void) => {
  const statements = new Map<string, ReturnType<Sqlite["prepare"]>>();
  const prepare = client.prepare.bind(client);
  const finalizeAll = () => {
    for (const statement of statements.values()) statement.finalize();
    statements.clear();
  };
  client.prepare = ((text: string) => {
    const known = statements.get(text);
    if (known) return known;
    const statement = prepare(text);
    if (statements.size < MAX_STATEMENTS) statements.set(text, statement);
    return statement;
  }) as Sqlite["prepare"];
  return finalizeAll;
};
