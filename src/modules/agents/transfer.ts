import { asc } from "drizzle-orm";
import { t } from "elysia";
import { AppError } from "../../core/errors";
import { ownedBy } from "../../db/owner";
import { agents } from "../../db/schema";
import { id, list, object, optional, text } from "../../server/answers";
import { field } from "../../server/schema";
import { parseTags, tagsModel } from "../tags/model";
import { addTags, readTags, resolveTags, tagsField } from "../tags/service";
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
      t.Object({
        id: fileId,
        name: t.String({ maxLength: 200 }),
        hostname: t.String({ maxLength: 300 }),
        tags: t.Optional(tagsModel),
      }),
      atMost(MAX_ITEMS),
    ),
    "The servers that other parts refer to; they are found by their host names. One without tags gets those of the file.",
  ),
  exported: list(
    object({
      id: id("The server's id in the file.", 5),
      name: text("Its name.", "Database"),
      hostname: text("The machine's host name.", "db-1"),
      tags: optional(tagsField),
    }),
    "Servers, which are identified by their host names. An import does not create them.",
  ),
  async *export(context) {
    const servers = await readServers(context);
    const tags = await readTags(
      context.deps,
      "agent",
      servers.map(({ id }) => id),
    );
    for (const server of servers) {
      const own = tags.get(server.id);
      yield { ...server, ...(own && { tags: own }) };
    }
  },
  parse: (sent, refuse) =>
    sent.map((server, index) => {
      try {
        return { ...server, tags: parseTags(server.tags ?? []) };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        for (const { path, message } of error.details.errors ?? [])
          refuse(`${index}.${path}`, message.replace(`${path}: `, ""));
        return { ...server, tags: [] };
      }
    }),
  plan: async (sent, context) => {
    const { deps, owner } = context;
    const own = await readServers(context);
    const ids = sent.map((server) => matchServer(server, own));
    const known = ids.filter((one) => one !== null);
    const before = await readTags(deps, "agent", known);
    const tagged = await resolveTags(
      deps,
      owner.id,
      sent.flatMap(({ tags }, index) => {
        const here = ids[index] ?? null;
        return here === null || before.has(here) || tags.length === 0 ? [] : [{ id: here, tags }];
      }),
    );
    return {
      ids,
      created: tagged.length,
      statements: ({ condition }) => addTags(owner.id, "agent", agents, tagged, condition),
      notes: () =>
        context
          .missing("agents")
          .map((index) =>
            note("server_missing", `agents.${index}`, `"${sent[index]?.name}" is not among your servers`),
          ),
    };
  },
});
