/** The status pages of a team: created, changed and deleted. */
import { and, asc, eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, notFound, validation } from "../../../core/errors";
import { madeBy, ownedBy, type Viewer } from "../../../db/owner";
import { pageComponents, statusPages } from "../../../db/schema";
import { parseZone } from "../../../server/schema";
import { PAGE_LIMITS } from "../../../shared/status/components";
import { isLogo } from "../../../shared/status-page";
import { recordChange } from "../../accounts/audit/record";
import { lockOwner } from "../../accounts/quotas/service";
import { accessColumns, hashSent, importedAccess } from "../access/settings";
import { invalidatePages } from "../cache";
import { writeDomains } from "../domains/domains";
import { newSlug } from "../model";
import { columnsOf } from "../service";
import { readDomains } from "./address";
import { readComponents } from "./components";
import { emptyPage, firstAdmin, type PageRow, readFreeKeys, type StatusPage } from "./find";
import type { NewPageBody, PageBody } from "./model";
import { type Place, presentSummary, presentWhole } from "./present";
import { draftComponents, type NewPage, writeComponents } from "./write-components";

type Store = Pick<Deps, "db" | "clock" | "log" | "config">;
/** `host` is the host name of the hub in the request: no page can have it. */
type Caller = Viewer & { username: string; host?: string };

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
  const domains = await readDomains(store, page.id);
  return presentWhole(page, { ...placeOf(page), components: components.length, domains }, components);
};

/** @throws {AppError} not_found */
export const readPage = async (store: Store, { teamId }: Viewer, pageId: number) =>
  presentOne(store, await findOwn(store, teamId, pageId));

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

/**
 * A page as it would be with a change; omitted fields are as they are stored.
 * @throws {AppError} not_found, validation
 */
export const draftOf = async (
  store: Store,
  { teamId }: Viewer,
  pageId: number,
  sent: PageBody,
): Promise<StatusPage> => {
  const page = await findOwn(store, teamId, pageId);
  const changed = { ...page, ...columnsOfPage(sent) };
  if (!sent.components) return changed;
  const drafts = await draftComponents(store, page, sent.components);
  return { ...changed, drafts };
};

/** The facts of a page in the log of changes. */
const factsOf = async (store: Store, page: PageRow) => ({
  ...page,
  domains: await readDomains(store, page.id),
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

/** @throws {AppError} validation, too_many_pages, address_taken, domain_invalid, domain_own, domain_taken, domain_without_public_url */
export const createPage = async (store: Store, caller: Caller, sent: NewPageBody) => {
  const hash = await hashSent(store, caller, sent);
  return changing(store, caller, async (within) => {
    const page = await insertPage(within, caller, sent, accessColumns(emptyPage, sent, hash));
    await writeDomains(within, caller, page.id, sent.domains ?? []);
    await recordChange(within, caller, { action: "created", ...logged(page) });
    return presentOne(within, page);
  });
};

/**
 * Changes a page; omitted fields stay unchanged. `updated_at` is the time of the page that the caller has changed.
 * @throws {AppError} not_found, validation, rule_changed when the page was saved since; of domains as `createPage`
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
    if (sent.domains) await writeDomains(within, caller, page.id, sent.domains);
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
