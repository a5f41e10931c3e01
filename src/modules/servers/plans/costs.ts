import type { Static } from "@sinclair/typebox";
import { and, isNotNull } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { ownedBy } from "../../../db/owner";
import { agents } from "../../../db/schema";
import { integer, number, object, text } from "../../../server/answers";

/** What servers cost in one currency. */
export const Cost = object({
  currency: text("Three letters of ISO 4217.", "EUR"),
  year: number("The prices of their contracts for twelve months, together.", 360),
  servers: integer("How many servers have a price in this currency.", 12),
});

/** Currencies of one answer. */
const MOST = 100;

/** The yearly costs of a user's servers by currency, the most used currency first. */
export const readCosts = async ({ db }: Pick<Deps, "db">, teamId: number): Promise<Static<typeof Cost>[]> => {
  const rows = await db
    .select({ plan: agents.plan })
    .from(agents)
    .where(and(ownedBy(agents, teamId), isNotNull(agents.plan)));
  const costs = new Map<string, Static<typeof Cost>>();
  for (const { plan } of rows) {
    const contract = plan?.contract;
    if (!contract || contract.price === null) continue;
    const { currency, price, months } = contract;
    const { year, servers } = costs.get(currency) ?? { year: 0, servers: 0 };
    costs.set(currency, { currency, year: year + (price * 12) / months, servers: servers + 1 });
  }
  return [...costs.values()]
    .toSorted((one, other) => other.servers - one.servers || other.year - one.year)
    .slice(0, MOST)
    .map((cost) => ({ ...cost, year: Math.round(cost.year * 100) / 100 }));
};
