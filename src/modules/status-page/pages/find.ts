import { asc, eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import { madeBy, ownedBy, type Viewer } from "../../../db/owner";
import { type pageComponents, statusPages, users } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import type { Language } from "../../../shared/language";
import { KEY_LETTERS } from "../../../shared/status/components";
import { STATUS_DAYS } from "../../../shared/status-page";
import { slugsOf } from "../model";

type Store = Pick<Deps, "db">;
export type Owner = Pick<Viewer, "id" | "teamId" | "origin"> & { username: string };
export type PageRow = typeof statusPages.$inferSelect;
export type StatusPage = Omit<PageRow, "updatedAt"> & {
  updatedAt: number | null;
  /** Its own components while they are edited, in place of the stored ones. */
  drafts?: (typeof pageComponents.$inferSelect)[];
};

export const emptyPage = {
  title: "",
  description: "",
  logoUrl: "",
  customCss: "",
  theme: "light" as const,
  monitors: [],
  agents: [],
  groups: [],
  showHostname: true,
  showOs: true,
  showVersion: true,
  historyDays: STATUS_DAYS,
  zone: "UTC",
  autoIncidents: null,
  autoSince: 0,
  noindex: false,
  access: "public" as const,
  passwordHash: null,
  accessVersion: 1,
  accessKeyHash: null,
  titlePublic: false,
};

/** A page before it is saved for the first time. */
export const unsavedPage = { ...emptyPage, id: 0, key: "", slug: "", updatedAt: null };

/** A new key of a page or component: random letters. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(KEY_LETTERS)), (value) =>
    String.fromCharCode(97 + (value % 26)),
  ).join("");

/** Reads which of the keys of a file are free. The function returns a free one for its first use, and otherwise a new one. */
export const readFreeKeys = async (
  { db }: Store,
  table: typeof statusPages | typeof pageComponents,
  sent: readonly { key?: string }[],
): Promise<(sent: { key?: string }) => string> => {
  const keys = sent.flatMap(({ key }) => key ?? []);
  const rows = keys.length > 0 ? await db.select({ key: table.key }).from(table).where(isOneOf(table.key, keys)) : [];
  const taken = new Set(rows.map(({ key }) => key));
  return ({ key }) => (key === undefined || taken.has(key) ? newKey() : taken.add(key) && key);
};

/** The first page of a team. */
export const findPage = async ({ db }: Store, teamId: number): Promise<PageRow | undefined> =>
  (await db.select().from(statusPages).where(ownedBy(statusPages, teamId)).orderBy(asc(statusPages.id)).limit(1))[0];

export const firstAdmin = async ({ db }: Store): Promise<Owner | undefined> =>
  (
    await db
      .select({ id: users.id, teamId: users.teamId, username: users.username })
      .from(users)
      .where(eq(users.role, "admin"))
      .orderBy(asc(users.id))
      .limit(1)
  )[0];

/**
 * The page of a canonical slug, or the first of the first administrator, which exists before it is saved: `updatedAt` is
 * missing then. Null if there is no such page.
 */
export const findPublished = async (store: Store, slug?: string): Promise<StatusPage | null> => {
  if (slug !== undefined) {
    const [page] = await store.db.select().from(statusPages).where(eq(statusPages.slug, slug));
    return page ?? null;
  }
  const admin = await firstAdmin(store);
  return (
    (admin && (await findPage(store, admin.teamId))) ?? { ...unsavedPage, ...madeBy(admin ?? { id: 0, teamId: 0 }) }
  );
};

/** The language of a page for visitors who ask for none: its owner's language. */
export const languageOf = async (
  { db, config }: Pick<Deps, "db" | "config">,
  { userId }: Pick<StatusPage, "userId">,
): Promise<Language> => {
  const [owner] = await db.select({ language: users.language }).from(users).where(eq(users.id, userId));
  return owner?.language ?? config.defaultLanguage;
};

export const isTaken = async ({ db }: Store, slug: string): Promise<boolean> =>
  (await db.$count(statusPages, eq(statusPages.slug, slug))) > 0;

/** A free slug derived from a username. */
export const freeSlug = async (store: Store, { username }: Pick<Owner, "username">): Promise<string> => {
  for (const slug of slugsOf(username)) if (!(await isTaken(store, slug))) return slug;
  throw new AppError("conflict", { reason: "No address is available for this page." });
};
