import { and, asc, eq } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { ownedBy } from "../../db/owner";
import { agents, monitors, pageComponents, statusPages } from "../../db/schema";
import { STATUS_LIMITS } from "../../shared/status-page";
import { parseTagText, tagKey, tagText } from "../../shared/tags";
import { hasTags } from "../tags/service";
import { invalidatePages } from "./cache";
import { findPage, type StatusPage } from "./pages/find";

const TABLES = { monitors: { type: "monitor", table: monitors }, agents: { type: "agent", table: agents } } as const;

/** The ids of an owner's monitors or servers that have a tag, by name; at most as many as a page may show. */
export const readTagged = async ({ db }: Pick<Deps, "db">, teamId: number, part: keyof typeof TABLES, tag: string) => {
  const { type, table } = TABLES[part];
  const rows = await db
    .select({ id: table.id })
    .from(table)
    .where(and(ownedBy(table, teamId), hasTags(type, table.id, [parseTagText(tag)], [teamId])))
    .orderBy(asc(table.nameKey), asc(table.id))
    .limit(STATUS_LIMITS.chosen);
  return rows.map(({ id }) => id);
};

/** A page with what the tags of its groups stand for now, after what is chosen by hand. */
export const withTagged = async (store: Pick<Deps, "db">, page: StatusPage): Promise<StatusPage> => {
  if (!page.groups.some(({ tag }) => tag)) return page;
  const groups: StatusPage["groups"] = [];
  for (const { tag, ...group } of page.groups) {
    const readIds = async (part: keyof typeof TABLES) => (tag ? await readTagged(store, page.teamId, part, tag) : []);
    groups.push({
      ...group,
      monitors: [...group.monitors, ...(await readIds("monitors"))],
      agents: [...group.agents, ...(await readIds("agents"))],
    });
  }
  const all = (part: keyof typeof TABLES) =>
    [...new Set([...page[part], ...groups.flatMap((group) => group[part])])].slice(0, STATUS_LIMITS.chosen);
  // A target that is named in a group but not selected stays hidden.
  const hidden = (part: keyof typeof TABLES) => {
    const byTag = new Set(groups.flatMap((group, place) => group[part].slice(page.groups[place]?.[part].length ?? 0)));
    const chosen = new Set(page[part]);
    return (id: number) => chosen.has(id) || byTag.has(id);
  };
  return {
    ...page,
    groups,
    monitors: all("monitors").filter(hidden("monitors")),
    agents: all("agents").filter(hidden("agents")),
  };
};

/** The monitors and servers that a team's first page shows; none without a page. */
export const readPageTargets = async (store: Pick<Deps, "db">, teamId: number) => {
  const page = await findPage(store, teamId);
  const { monitors, agents } = page ? await withTagged(store, page) : { monitors: [], agents: [] };
  return { monitor: monitors, agent: agents };
};

/** The filter by a tag after one was renamed; null if it is about another. */
const renamedFilter = (text: string, { before, after }: { before: string; after: string }): string | null => {
  const { name, value } = parseTagText(text);
  return tagKey(name) === tagKey(before) ? tagText({ name: after, value }) : null;
};

/** Names a renamed tag in the pages of its team as it is called now, unless a page is saved at the same time. */
export const renameInGroups = async (
  { db }: Pick<Deps, "db">,
  teamId: number,
  names: { before: string; after: string },
): Promise<void> => {
  if (names.before === names.after) return;
  for (const page of await db.select().from(statusPages).where(ownedBy(statusPages, teamId))) {
    const groups = page.groups.map((group) => {
      const tag = renamedFilter(group.tag ?? "", names);
      return tag === null ? group : { ...group, tag };
    });
    if (Bun.deepEquals(groups, page.groups)) continue;
    await db
      .update(statusPages)
      .set({ groups })
      .where(and(eq(statusPages.id, page.id), eq(statusPages.updatedAt, page.updatedAt)));
  }
  for (const { id, target } of await db.select().from(pageComponents).where(ownedBy(pageComponents, teamId))) {
    const tag = renamedFilter(target.tag ?? "", names);
    if (tag === null) continue;
    await db
      .update(pageComponents)
      .set({ target: { ...target, tag } })
      .where(eq(pageComponents.id, id));
  }
  invalidatePages(db);
};
