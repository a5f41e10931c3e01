/** What teams own in other modules, which provide it: it counts for quotas, and is deleted with its team. */
import type { Column, SQL } from "drizzle-orm";
import type { Queries, Statement } from "../../db/database";
import type { Owner } from "../../db/owner";
import type { QuotaName } from "../../shared/limits";

/** A subquery for how many a team has that count; the team is an id, or a column of the outer query. */
export type CountOwned = (teamId: number | Column, now: number) => SQL;

/** Monitors or servers, whose history may have millions of rows. */
export type OwnedTargets = {
  count: CountOwned;
  /** Deletes the targets of the teams that `owner` selects, states first, and adds their history to pending_purges. */
  purge: (tx: Queries, owner: SQL, now: number) => { states: Statement[]; rest: Statement[] };
  /** The queries that delete the history of one since a time, each of them small. */
  purgeHistory: (db: Queries, id: number, since: number, now: number) => readonly (Statement & PromiseLike<unknown>)[];
};

type Owned = Record<Exclude<QuotaName, "keys">, { count: CountOwned }> & {
  /** `revoke` deletes the enrollment tokens that a user made for a team. */
  enrollment_tokens: { revoke: (tx: Queries, owner: Owner) => Statement };
  monitors: OwnedTargets;
  servers: OwnedTargets;
};

let provided: Owned | undefined;

/** Sets what teams own in other modules. */
export const provideOwned = (owned: Owned): void => {
  provided = owned;
};

export const owned = (): Owned => {
  if (!provided) throw new Error("nothing provides what teams own");
  return provided;
};
