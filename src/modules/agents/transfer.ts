import { asc, type SQL, sql } from "drizzle-orm";
import { t } from "elysia";
import { AppError } from "../../core/errors";
import { ownedBy } from "../../db/owner";
import { agents } from "../../db/schema";
import { withValues } from "../../db/sql";
import { id, list, object, optional, text } from "../../server/answers";
import { field } from "../../server/schema";
import type { ServerPlan } from "../../shared/agents/server-plan";
import { parseTags, tagsModel } from "../tags/model";
import { addTags, readTags, resolveTags, tagsField } from "../tags/service";
import { atMost, definePart, type Exporting, fileId, MAX_ITEMS, note } from "../transfer/part";
import { Plan, parsePlan, planModel, presentPlan } from "./plans/model";

type Server = { id: number; name: string; hostname: string };
type Stored = Server & { plan: ServerPlan | null };

const readServers = async ({ deps, owner }: Pick<Exporting, "deps" | "owner">): Promise<Stored[]> => {
  const { id, name, hostname, plan } = agents;
  return deps.db
    .select({ id, name, hostname, plan })
    .from(agents)
    .where(ownedBy(agents, owner.id))
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

/** The statement that gives plans to servers that have none. */
const addPlans = (plans: [id: number, plan: ServerPlan][], condition: SQL): SQL =>
  sql`${withValues("v", { id: "bigint", plan: "json" }, plans)} update ${agents} set plan = v.plan from v
    where ${agents.id} = v.id and ${agents.plan} is null and ${condition}`;

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
      /** What `read` returns; its errors are those of the file. */
      const within = <T>(read: () => T, otherwise: T): T => {
        try {
          return read();
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          for (const { path, message } of error.details.errors ?? [])
            refuse(`${index}.${path}`, message.replace(`${path}: `, ""));
          return otherwise;
        }
      };
      const { plan } = server;
      return {
        ...server,
        tags: within(() => parseTags(server.tags ?? []), []),
        plan: within(() => (plan ? parsePlan(plan) : null), null),
      };
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
    const without = new Set(own.flatMap(({ id, plan }) => (plan === null ? [id] : [])));
    const planned = new Map(
      sent.flatMap(({ plan }, index) => {
        const here = ids[index] ?? null;
        return plan && here !== null && without.has(here) ? [[here, plan]] : [];
      }),
    );
    return {
      ids,
      created: tagged.length + planned.size,
      statements: ({ condition }) => [
        ...(tagged.length > 0 ? addTags({ userId: owner.id, type: "agent", table: agents }, tagged, condition) : []),
        ...(planned.size > 0 ? [addPlans([...planned], condition)] : []),
      ],
      notes: () =>
        context
          .missing("agents")
          .map((index) =>
            note("server_missing", `agents.${index}`, `"${sent[index]?.name}" is not among your servers`),
          ),
    };
  },
});
