/** Another member of a team takes over the rows of a user who leaves. */
import { and, is, Table } from "drizzle-orm";
import type { Queries, Statement } from "../../../db/database";
import { ofUser, ownedBy } from "../../../db/owner";
import * as schema from "../../../db/schema";
import { members } from "../../../db/schema";

type MadeTable = typeof schema.monitors;

/** Tables about a user, also where they name a team. */
const OWN: unknown[] = [members, schema.apiKeys, schema.channelFollows];

/** The tables whose rows belong to a team and name the user who made them. */
const made = Object.values(schema).filter(
  (value): value is MadeTable => is(value, Table) && "userId" in value && "teamId" in value && !OWN.includes(value),
);

/**
 * The statements that make another user the maker of all rows of a user in a team: their role decides what these may reach. The
 * own channels of the user get no alerts of the team any more.
 */
export const handOver = (
  tx: Queries,
  { teamId, from, to }: { teamId: number; from: number; to: number },
): Statement[] => [
  ...made.map((table) =>
    tx
      .update(table)
      .set({ userId: to })
      .where(and(ownedBy(table, teamId), ofUser(table, from))),
  ),
  tx
    .delete(schema.channelFollows)
    .where(and(ownedBy(schema.channelFollows, teamId), ofUser(schema.channelFollows, from))),
];
