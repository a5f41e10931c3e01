/** The components of a page: checked, written, and composed while they are edited. */

import { eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { type FieldError, validation } from "../../../core/errors";
import { insertMany } from "../../../db/insert-many";
import { ownerOf } from "../../../db/owner";
import { agents, monitors, pageComponents } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import type { ComponentTarget } from "../../../shared/status/components";
import { knownIds } from "../choices";
import { type ComponentRow, readRows } from "./components";
import { type PageRow, readFreeKeys } from "./find";
import type { ComponentBody, NewPageBody } from "./model";

type Store = Pick<Deps, "db" | "clock" | "log">;

const targetOf = ({ monitors = [], agents = [], tag, mode = "all", n = 1 }: ComponentBody): ComponentTarget => ({
  ...{ monitors: [...new Set(monitors)], agents: [...new Set(agents)], tag: tag?.trim() || null, mode },
  n: mode === "at_least" ? n : 1,
});

/** The problem of a component by itself. */
export const problemOf = (sent: ComponentBody): { field: string; message: string } | undefined => {
  const { monitors, agents, tag, mode, n } = targetOf(sent);
  const { length } = [...monitors, ...agents];
  if (!sent.name?.trim() && (length !== 1 || tag))
    return { field: "name", message: "expected a name, unless it is about one monitor or server" };
  if (length === 0 && !tag && !sent.fixed_status)
    return { field: "monitors", message: "expected a monitor, a server, a tag or a fixed status" };
  if (mode === "at_least" && !tag && n > length)
    return { field: "n", message: `expected at most ${length}, the number of its targets` };
  return undefined;
};

/**
 * Asserts that a team has what components are about, and that a page has those with an id. Targets that a component had
 * already may have been deleted.
 * @throws {AppError} validation, also for another team's monitors and servers
 */
const requireComponents = async (
  store: Store,
  teamId: number,
  sent: readonly ComponentBody[],
  rows: readonly ComponentRow[],
): Promise<void> => {
  const errors: FieldError[] = [];
  const add = (path: string, message: string) => void errors.push({ path, message: `${path}: ${message}` });
  const own = new Map(rows.filter(({ listed }) => !listed).map((row) => [row.id, row]));
  const seen = new Set<number>();
  for (const [index, { id, ...body }] of sent.entries()) {
    if (id !== undefined && (!own.has(id) || seen.has(id)))
      add(`components.${index}.id`, `the page has no other component ${id} of its own`);
    if (id !== undefined) seen.add(id);
    const problem = problemOf(body);
    if (problem) add(`components.${index}.${problem.field}`, problem.message);
  }
  for (const [part, table, noun] of [
    ["monitors", monitors, "monitor"],
    ["agents", agents, "agent"],
  ] as const) {
    const ids = sent.flatMap((body) => body[part] ?? []);
    const known = new Set(await knownIds(store, { teamId }, table, [...new Set(ids)]));
    for (const [index, body] of sent.entries()) {
      const kept = new Set(own.get(body.id ?? 0)?.target[part]);
      for (const [place, id] of (body[part] ?? []).entries())
        if (!known.has(id) && !kept.has(id)) add(`components.${index}.${part}.${place}`, `there is no ${noun} ${id}`);
    }
  }
  if (errors.length > 0) throw validation(errors.slice(0, 10));
};

/** The fields of a page and of its components from a file: their keys are kept where they are free. */
type Keyed<Body> = Body & { key?: string };
export type NewPage = Keyed<Omit<NewPageBody, "components">> & { components?: NewComponent[] };
type NewComponent = Keyed<ComponentBody> & { created_at?: string };

/** The columns of a component that its owner sets. */
const valuesOf = (body: ComponentBody, position: number) => ({
  position,
  groupName: body.group?.trim() ?? "",
  name: body.name?.trim() || null,
  description: body.description?.trim() ?? "",
  target: targetOf(body),
  fixedStatus: body.fixed_status ?? null,
  show: body.show ?? ("bar" as const),
});

/** Replaces the components of a page that are its own. @throws {AppError} validation */
export const writeComponents = async (store: Store, page: PageRow, sent: readonly NewComponent[]): Promise<void> => {
  const rows = await readRows(store, page.id);
  const keyOf = await readFreeKeys(store, pageComponents, sent);
  await requireComponents(store, page.teamId, sent, rows);
  const now = store.clock.now();
  const kept = new Set(sent.map(({ id }) => id));
  const gone = rows.filter(({ id, listed }) => !listed && !kept.has(id)).map(({ id }) => id);
  if (gone.length > 0) await store.db.delete(pageComponents).where(isOneOf(pageComponents.id, gone));
  const added: (typeof pageComponents.$inferInsert)[] = [];
  for (const [position, body] of sent.entries()) {
    const values = valuesOf(body, position);
    const before = rows.find(({ id }) => id === body.id);
    if (!before) {
      const key = keyOf(body);
      const fixed = { ...ownerOf(page), pageId: page.id, key, listed: false };
      const createdAt = Math.min(now, body.created_at === undefined ? now : Date.parse(body.created_at));
      added.push({ ...fixed, ...values, createdAt, updatedAt: now });
    } else if (!Bun.deepEquals({ ...before, ...values }, before))
      await store.db
        .update(pageComponents)
        .set({ ...values, updatedAt: now })
        .where(eq(pageComponents.id, before.id));
  }
  await insertMany(store.db, pageComponents, added);
};

/** The components of a page as they would be stored. @throws {AppError} validation */
export const draftComponents = async (
  store: Store,
  page: PageRow,
  sent: readonly ComponentBody[],
): Promise<ComponentRow[]> => {
  const rows = await readRows(store, page.id);
  await requireComponents(store, page.teamId, sent, rows);
  return sent.map((body, position) => {
    // Stored components have other ids and keys.
    const added = { id: -1 - position, key: `new ${position}`, pageId: page.id, listed: false, ...ownerOf(page) };
    const before = rows.find(({ id }) => id === body.id) ?? { ...added, createdAt: 0, updatedAt: 0 };
    return { ...before, ...valuesOf(body, position) };
  });
};
