import type { Static } from "@sinclair/typebox";
import type { Deps } from "../../../core/deps";
import { outages } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { id, nullable, object, oneOf, text } from "../../../server/answers";
import { TARGET_TYPES } from "../../../shared/notifications";
import { targetName } from "../targets";

/** The target of the outage that explains another one. */
const Explaining = object({
  type: oneOf("What it is; an agent is a server.", TARGET_TYPES),
  id: id("Its id.", 3),
  name: text("Its name.", "router"),
});
export type Explaining = Static<typeof Explaining>;

/** The field of an outage. */
export const explainingField = nullable(Explaining, null);

type Explained = { explainedBy: number | null };

/** Reads the targets that explain these outages. */
export const readExplaining = async (
  { db }: Pick<Deps, "db">,
  explained: readonly Explained[],
): Promise<(outage: Explained) => Explaining | null> => {
  const ids = [...new Set(explained.flatMap(({ explainedBy }) => explainedBy ?? []))];
  const rows =
    ids.length === 0
      ? []
      : await db
          .select({
            outageId: outages.id,
            type: outages.targetType,
            id: outages.targetId,
            name: targetName(outages.targetType, outages.targetId),
          })
          .from(outages)
          .where(isOneOf(outages.id, ids));
  const byId = new Map(rows.map(({ outageId, ...target }) => [outageId, target]));
  return ({ explainedBy }) => (explainedBy === null ? null : (byId.get(explainedBy) ?? null));
};
