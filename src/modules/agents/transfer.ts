import { asc } from "drizzle-orm";
import { t } from "elysia";
import { ownedBy } from "../../db/owner";
import { agents } from "../../db/schema";
import { id, list, object, text } from "../../server/answers";
import { field } from "../../server/schema";
import { atMost, definePart, type Exporting, fileId, MAX_ITEMS, note } from "../transfer/part";

type Server = { id: number; name: string; hostname: string };

const readServers = async ({ deps, owner }: Pick<Exporting, "deps" | "owner">): Promise<Server[]> => {
  const { id, name, hostname } = agents;
  return deps.db.select({ id, name, hostname }).from(agents).where(ownedBy(agents, owner.id)).orderBy(asc(agents.id));
};

/**
 * Matches a server of a file with one of the user's: the one with that hostname; of several the one with its id, or
 * else with its name. Null when there is none or the match is ambiguous.
 */
const matchServer = (sent: Server, own: readonly Server[]): number | null => {
  const there = own.filter(({ hostname }) => hostname === sent.hostname);
  const same = there.find(({ id }) => id === sent.id) ?? there.find(({ name }) => name === sent.name);
  return (same ?? (there.length === 1 ? there[0] : undefined))?.id ?? null;
};

/** The servers of an exported file. They are not imported, but listed for the parts that refer to them. */
export const agentsPart = definePart({
  key: "agents",
  sent: field(
    t.Array(
      t.Object({ id: fileId, name: t.String({ maxLength: 200 }), hostname: t.String({ maxLength: 300 }) }),
      atMost(MAX_ITEMS),
    ),
    "The servers that other parts refer to; they are found by their host names.",
  ),
  exported: list(
    object({
      id: id("The server's id in the file.", 5),
      name: text("Its name.", "Database"),
      hostname: text("The machine's host name.", "db-1"),
    }),
    "Servers, which are identified by their host names. An import does not create them.",
  ),
  async *export(context) {
    yield* await readServers(context);
  },
  plan: async (sent, context) => {
    const own = await readServers(context);
    return {
      ids: sent.map((server) => matchServer(server, own)),
      notes: () =>
        context
          .missing("agents")
          .map((index) =>
            note("server_missing", `agents.${index}`, `"${sent[index]?.name}" is not among your servers`),
          ),
    };
  },
});
