/** The status pages of a team: created, changed and deleted. */
import { and, asc, eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, type FieldError, notFound, validation } from "../../../core/errors";
import { insertMany } from "../../../db/insert-many";
import { madeBy, ownedBy, ownerOf, type Viewer } from "../../../db/owner";
import { agents, monitors, pageComponents, statusPages } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { parseZone } from "../../../server/schema";
import { type ComponentTarget, PAGE_LIMITS } from "../../../shared/status/components";
import { isLogo } from "../../../shared/status-page";
import { recordChange } from "../../accounts/audit/record";
import { lockOwner } from "../../accounts/quotas/service";
import { accessColumns, hashSent, importedAccess } from "../access/settings";
import { invalidatePages } from "../cache";
import { knownIds } from "../choices";
import { newSlug } from "../model";
import { columnsOf } from "../service";
import { type ComponentRow, readComponents, readRows } from "./components";
import { emptyPage, firstAdmin, type PageRow, readFreeKeys } from "./find";
import type { ComponentBody, NewPageBody, PageBody } from "./model";
import { type Place, presentSummary, presentWhole } from "./present";

type Store = Pick<Deps, "db" | "clock" | "log">;
type Caller = Viewer & { username: string };

/** The pages of a team, the first one first. */
export const readPages = ({ db }: Pick<Store, "db">, teamId: number): Promise<PageRow[]> =>
  db.select().from(statusPages).where(ownedBy(statusPages, teamId)).orderBy(asc(statusPages.id));

/** Where the pages of a team are. */
const placesOf = async (store: Pick<Store, "db">, pages: readonly PageRow[]) => {
  const home = pages.length > 0 ? (await firstAdmin(store))?.teamId : undefined;
  return (page: PageRow): Omit<Place, "components"> => {
    const first = page.id === pages[0]?.id;
    return { first, path: first && page.teamId === home ? "/status" : `/status/${encodeURIComponent(page.slug)}` };
  };
};

export const listPages = async (store: Store, { teamId }: Pick<Viewer, "teamId">) => {
  const pages = await readPages(store, teamId);
  const placeOf = await placesOf(store, pages);
  const ids = await store.db
    .select({ pageId: pageComponents.pageId })
    .from(pageComponents)
    .where(ownedBy(pageComponents, teamId));
  const counts = Map.groupBy(ids, ({ pageId }) => pageId);
  return pages.map((page) => presentSummary(page, { ...placeOf(page), components: counts.get(page.id)?.length ?? 0 }));
};

/** @throws {AppError} not_found, also for another team's */
const findOwn = async (store: Pick<Store, "db">, teamId: number, pageId: number): Promise<PageRow> => {
  const [page] = await store.db
    .select()
    .from(statusPages)
    .where(and(eq(statusPages.id, pageId), ownedBy(statusPages, teamId)));
  if (!page) throw notFound("Status page");
  return page;
};

const presentOne = async (store: Store, page: PageRow) => {
  const placeOf = await placesOf(store, await readPages(store, page.teamId));
  const components = await readComponents(store, page);
  return presentWhole(page, { ...placeOf(page), components: components.length }, components);
};

/** @throws {AppError} not_found */
export const readPage = async (store: Store, { teamId }: Viewer, pageId: number) =>
  presentOne(store, await findOwn(store, teamId, pageId));

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

/** @throws {AppError} validation */
export const columnsOfPage = (sent: PageBody) => {
  const logo = sent.logo_url?.trim();
  if (logo && !isLogo(logo))
    throw validation([
      {
        path: "logo_url",
        message: "logo_url: expected an https:// address, or a data: address of a PNG, JPEG, GIF, WebP or SVG picture",
      },
    ]);
  const { noindex, history_days: historyDays, zone, auto_incidents: autoIncidents } = sent;
  return {
    ...columnsOf(sent),
    ...(noindex !== undefined && { noindex }),
    ...(historyDays !== undefined && { historyDays }),
    ...(autoIncidents !== undefined && { autoIncidents }),
    ...(zone !== undefined && { zone: parseZone(zone) }),
  };
};

/** The fields of a page and of its components from a file: their keys are kept where they are free. */
type Keyed<Body> = Body & { key?: string };
type NewPage = Keyed<Omit<NewPageBody, "components">> & { components?: NewComponent[] };
type NewComponent = Keyed<ComponentBody> & { created_at?: string };

/** Replaces the components of a page that are its own. @throws {AppError} validation */
const writeComponents = async (store: Store, page: PageRow, sent: readonly NewComponent[]): Promise<void> => {
  const rows = await readRows(store, page.id);
  const keyOf = await readFreeKeys(store, pageComponents, sent);
  await requireComponents(store, page.teamId, sent, rows);
  const now = store.clock.now();
  const kept = new Set(sent.map(({ id }) => id));
  const gone = rows.filter(({ id, listed }) => !listed && !kept.has(id)).map(({ id }) => id);
  if (gone.length > 0) await store.db.delete(pageComponents).where(isOneOf(pageComponents.id, gone));
  const valuesOf = (body: ComponentBody, position: number) => ({
    position,
    groupName: body.group?.trim() ?? "",
    name: body.name?.trim() || null,
    description: body.description?.trim() ?? "",
    target: targetOf(body),
    fixedStatus: body.fixed_status ?? null,
    show: body.show ?? ("bar" as const),
  });
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

/** The facts of a page in the log of changes. */
const factsOf = async (store: Store, page: PageRow) => ({
  ...page,
  components: (await readComponents(store, page)).filter(({ row }) => !row.listed).map(({ label }) => label),
});

/** Runs a change of a team's pages. */
const changing = async <T>(store: Store, caller: Caller, change: (within: Store) => Promise<T>): Promise<T> => {
  const result = await store.db.transact(async (tx) => {
    await lockOwner(tx, madeBy(caller));
    return change({ ...store, db: tx });
  });
  invalidatePages(store.db);
  return result;
};

const logged = ({ id, title, teamId }: PageRow) => ({
  object: { type: "status_page" as const, id, name: title },
  teamId,
});

/** Inserts a page within a transaction that has locked its owner. @throws {AppError} too_many_pages, address_taken, validation */
export const insertPage = async (
  store: Store,
  caller: Caller,
  sent: NewPage,
  access: Partial<PageRow>,
): Promise<PageRow> => {
  const slug = newSlug(sent.slug);
  if ((await store.db.$count(statusPages, ownedBy(statusPages, caller.teamId))) >= PAGE_LIMITS.pages)
    throw new AppError("too_many_pages", { limit: PAGE_LIMITS.pages });
  const keyOf = await readFreeKeys(store, statusPages, [sent]);
  const [page] = await store.db
    .insert(statusPages)
    .values({
      ...{ ...emptyPage, ...columnsOfPage(sent), ...madeBy(caller), ...access, key: keyOf(sent), slug },
      updatedAt: store.clock.now(),
    })
    .onConflictDoNothing()
    .returning();
  if (!page) throw new AppError("address_taken");
  await writeComponents(store, page, sent.components ?? []);
  return page;
};

/** Stores what a file has of a page beyond its lists, in the import that has created it. @throws {AppError} validation */
export const completePage = async (store: Store, page: PageRow, sent: NewPage): Promise<void> => {
  const key = (await readFreeKeys(store, statusPages, [sent]))(sent);
  await store.db
    .update(statusPages)
    .set({ ...columnsOfPage(sent), ...importedAccess(sent), key })
    .where(eq(statusPages.id, page.id));
  await writeComponents(store, page, sent.components ?? []);
};

/** @throws {AppError} validation, too_many_pages, address_taken */
export const createPage = async (store: Store, caller: Caller, sent: NewPageBody) => {
  const hash = await hashSent(store, caller, sent);
  return changing(store, caller, async (within) => {
    const page = await insertPage(within, caller, sent, accessColumns(emptyPage, sent, hash));
    await recordChange(within, caller, { action: "created", ...logged(page) });
    return presentOne(within, page);
  });
};

/**
 * Changes a page; omitted fields stay unchanged. `updated_at` is the time of the page that the caller has changed.
 * @throws {AppError} not_found, validation, rule_changed when the page was saved since
 */
export const updatePage = async (store: Store, caller: Caller, pageId: number, sent: PageBody) => {
  const hash = await hashSent(store, caller, sent);
  return changing(store, caller, async (within) => {
    const page = await findOwn(within, caller.teamId, pageId);
    if (sent.updated_at !== undefined && Date.parse(sent.updated_at) !== page.updatedAt)
      throw new AppError("rule_changed", {}, { current: await presentOne(within, page) });
    const before = await factsOf(within, page);
    // Each save has another time, also within one millisecond.
    const updatedAt = Math.max(within.clock.now(), page.updatedAt + 1);
    const values = { ...columnsOfPage(sent), ...accessColumns(page, sent, hash), updatedAt };
    const [changed = page] = await within.db
      .update(statusPages)
      .set(values)
      .where(eq(statusPages.id, page.id))
      .returning();
    if (sent.components) await writeComponents(within, changed, sent.components);
    const after = await factsOf(within, changed);
    await recordChange(within, caller, { action: "changed", ...logged(changed), before, after });
    return presentOne(within, changed);
  });
};

/** Deletes a page; the next one is the first page of the team then. @throws {AppError} not_found */
export const deletePage = (store: Store, caller: Caller, pageId: number): Promise<void> =>
  changing(store, caller, async (within) => {
    const page = await findOwn(within, caller.teamId, pageId);
    await recordChange(within, caller, { action: "deleted", ...logged(page) });
    await within.db.delete(statusPages).where(eq(statusPages.id, page.id));
  });
