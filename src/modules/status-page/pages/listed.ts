import { and, eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { insertMany } from "../../../db/insert-many";
import { ownerOf } from "../../../db/owner";
import { pageComponents } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import type { ComponentTarget } from "../../../shared/status/components";
import { newKey, type PageRow } from "./find";

const oneOf = (target: Partial<ComponentTarget>): ComponentTarget => ({
  ...{ monitors: [], agents: [], tag: null, mode: "all", n: 1 },
  ...target,
});

/** The targets of the components that stand for what the lists of a page name. */
const targetsOf = ({ monitors, agents, groups }: Pick<PageRow, "monitors" | "agents" | "groups">) => [
  ...monitors.map((id) => oneOf({ monitors: [id] })),
  ...agents.map((id) => oneOf({ agents: [id] })),
  ...new Set(groups.flatMap(({ tag }) => tag ?? [])).values().map((tag) => oneOf({ tag })),
];

/** A text that is equal for equal targets. */
const targetKey = ({ monitors, agents, tag, mode, n }: ComponentTarget): string =>
  JSON.stringify([monitors, agents, tag, mode, n]);

/** Creates and deletes the components of a page that stand for its lists, within the transaction that saves it. */
export const syncListed = async ({ db, clock }: Pick<Deps, "db" | "clock">, page: PageRow): Promise<void> => {
  const rows = await db
    .select({ id: pageComponents.id, target: pageComponents.target })
    .from(pageComponents)
    .where(and(eq(pageComponents.pageId, page.id), eq(pageComponents.listed, true)));
  const wanted = new Map(targetsOf(page).map((target) => [targetKey(target), target]));
  const stale = rows.filter(({ target }) => !wanted.delete(targetKey(target))).map(({ id }) => id);
  if (stale.length > 0) await db.delete(pageComponents).where(isOneOf(pageComponents.id, stale));
  const now = clock.now();
  const fields = { listed: true, position: 0, groupName: "", description: "", show: "bar" } as const;
  const added = [...wanted.values()].map((target) => ({
    ...{ ...ownerOf(page), ...fields, pageId: page.id, key: newKey(), target },
    ...{ createdAt: now, updatedAt: now },
  }));
  await insertMany(db, pageComponents, added);
};
