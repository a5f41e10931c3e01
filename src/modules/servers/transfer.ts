import { asc, eq } from "drizzle-orm";
import { t } from "elysia";
import { madeBy, ownedBy } from "../../db/owner";
import { agents } from "../../db/schema";
import { lock, lockRows } from "../../db/sql";
import { id, list, object, optional, text } from "../../server/answers";
import { field } from "../../server/schema";
import type { ServerPlan } from "../../shared/agents/server-plan";
import { parseTags, tagsModel } from "../tags/model";
import { addTags, readTags, tagsField } from "../tags/service";
import { atMost, definePart, type Exporting, fileId, MAX_ITEMS, note, parseItem } from "../transfer/part";
import { createServers } from "./enrollment/enroll";
import { Plan, parsePlan, planModel, presentPlan } from "./plans/model";

type Server = { id: number; name: string; hostname: string };
type Stored = Server & { plan: ServerPlan | null };

const readServers = async ({ deps, owner }: Pick<Exporting, "deps" | "owner">): Promise<Stored[]> => {
  const { id, name, hostname, plan } = agents;
  return deps.db
    .select({ id, name, hostname, plan })
    .from(agents)
    .where(ownedBy(agents, owner.teamId))
    .orderBy(asc(agents.id));
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

/** The servers of an exported file. They are not created, except from other products, but listed for the parts that refer to them. */
export const serversPart = definePart({
  key: "agents",
  sent: field(
    t.Array(
      t.Object({
        id: fileId,
        name: t.String({ maxLength: 200 }),
        hostname: t.String({ maxLength: 300 }),
        tags: t.Optional(tagsModel),
        plan: t.Optional(planModel),
      }),
      atMost(MAX_ITEMS),
    ),
    "The servers that other parts refer to; they are found by their host names. One without tags gets those of the file, and one without a plan its plan.",
  ),
  exported: list(
    object({
      id: id("The server's id in the file.", 5),
      name: text("Its name.", "Database"),
      hostname: text("The machine's host name.", "db-1"),
      tags: optional(tagsField),
      plan: optional(Plan),
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
    for (const { plan, ...server } of servers) {
      const [own, shown] = [tags.get(server.id), presentPlan(plan)];
      yield { ...server, ...(own && { tags: own }), ...(shown && { plan: shown }) };
    }
  },
  parse: (sent, refuse) =>
    sent.map((server, index) => {
      const { tags = [], plan } = server;
      return {
        ...server,
        tags: parseItem(() => parseTags(tags), { index, refuse, otherwise: [] }),
        plan: parseItem(() => (plan ? parsePlan(plan) : null), { index, refuse, otherwise: null }),
      };
    }),
  import: async (sent, context) => {
    const { deps, owner } = context;
    await lock(deps.db, lockRows(agents, agents.id, ownedBy(agents, owner.teamId)));
    const own = await readServers(context);
    const matched = sent.map((server) => matchServer(server, own));
    const added = context.createsServers ? sent.filter((_, index) => matched[index] === null) : [];
    const created = await createServers(
      { deps, owner: madeBy(owner) },
      added.map(({ name, hostname, plan }) => ({ name, hostname, plan })),
    );
    const ids = matched.map((id) => id ?? created.shift() ?? null);
    const tagged = await readTags(
      deps,
      "agent",
      ids.filter((one) => one !== null),
    );
    const here = sent.flatMap(({ tags, plan }, index) => {
      const id = ids[index] ?? null;
      return id === null ? [] : [{ id, tags, plan }];
    });
    const untagged = here.filter(({ id, tags }) => tags.length > 0 && !tagged.has(id));
    await addTags(deps.db, { owner: madeBy(owner), type: "agent" }, untagged);
    const without = new Set(own.flatMap(({ id, plan }) => (plan === null ? [id] : [])));
    const planned = here.filter(({ id, plan }) => plan && without.has(id));
    for (const { id, plan } of planned) await deps.db.update(agents).set({ plan }).where(eq(agents.id, id));
    return {
      ids,
      created: added.length,
      isNew: matched.map((id, index) => id === null && ids[index] !== null),
      stored: (after) => added.length > 0 && after.live.recount(owner.id),
      notes: () =>
        context
          .missing("agents")
          .map((index) =>
            note("server_missing", `agents.${index}`, `"${sent[index]?.name}" is not among your servers`),
          ),
    };
  },
});
