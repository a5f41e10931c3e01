import type { Static } from "@sinclair/typebox";
import { eq } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { type FieldError, validation } from "../../core/errors";
import { madeBy, ownedBy } from "../../db/owner";
import { agents, monitors, statusPages } from "../../db/schema";
import { boolean, id, integer, list, nullable, object, oneOf, optional, text } from "../../server/answers";
import { isLogo, STATUS_THEMES, type StatusGroup } from "../../shared/status-page";
import { recordChange } from "../accounts/audit/record";
import { lockOwner } from "../accounts/quotas/service";
import { invalidatePages } from "./cache";
import { knownIds, listMonitors, listServers } from "./choices";
import { sanitizeCss } from "./css";
import { cleanGroups, groupedIds } from "./groups";
import type { ConfigBody } from "./model";
import {
  emptyPage,
  findPage,
  firstAdmin,
  freeSlug,
  newKey,
  type Owner,
  type StatusPage,
  unsavedPage,
} from "./pages/find";
import { syncListed } from "./pages/listed";

type Store = Pick<Deps, "db" | "clock" | "log">;
/** The fields of a page that its owner sets. */
type PageColumns = Omit<StatusPage, "id" | "key" | "userId" | "teamId" | "slug" | "updatedAt">;

const SLUG_TRIES = 10;

export const pageFields = {
  title: text("The page's title.", "Acme"),
  description: text("The text below the title.", "How our services are doing."),
  logoUrl: text("An https address or a data: image; empty for none.", ""),
  customCss: text("The custom stylesheet.", ".hero { color: #204060; }"),
};
export const themeField = oneOf("How the page looks; `auto`: as the viewer's system.", STATUS_THEMES, "light");
export const cssDropped = list(
  text("Its beginning.", "background: url(https://example.com/x.png)"),
  "Parts of the stylesheet that are removed because they could load or run something; at most 20.",
);
export const groupsField = list(
  object({
    name: text("Its heading.", "Shop"),
    tag: optional(text("The tag whose monitors and servers are in it, too. Visitors do not see it.", "production")),
    monitors: list(id("A monitor's id.", 3)),
    agents: list(id("A server's id.", 5)),
  }),
  "Named parts of the page, in order, with what they hold. Other items follow.",
);
const choice = {
  id: id("Its id.", 3),
  name: text("Its name.", "Payments API"),
  selected: boolean("Whether the page shows it.", true),
};

export const StatusPageConfig = object({
  ...pageFields,
  theme: themeField,
  groups: groupsField,
  show_hostname: boolean("Whether the page shows servers' host names.", true),
  show_os: boolean("Whether it shows their operating systems.", true),
  show_version: boolean("Whether it shows the versions of their systems.", true),
  css_dropped: cssDropped,
  slug: text("The page's name in its address.", "alice"),
  path: text("The path of the page.", "/status"),
  published: boolean("Whether the page is public: it is once it was saved.", true),
  page_id: nullable(id("Its id in `/api/pages`; null until it was saved.", 2)),
  monitor_ids: list(id("A monitor's id.", 3), "The chosen monitors, in the order on the page."),
  agent_ids: list(id("A server's id.", 5), "The chosen servers, in the order on the page."),
  monitors: list(object(choice)),
  agents: list(object({ ...choice, hostname: text("The machine's host name.", "db-1") })),
  monitors_total: integer("How many monitors there are, listed or not.", 1),
  agents_total: integer("How many servers there are, listed or not.", 1),
});

/** The fields of a page that its owner sets, with these monitors and servers. */
export const presentPage = (page: PageColumns, { monitors, agents }: { monitors: number[]; agents: number[] }) => {
  const { title, description, logoUrl, customCss, theme, showHostname, showOs, showVersion } = page;
  return {
    ...{ title, description, logoUrl, customCss, theme, monitors, agents },
    groups: cleanGroups(page.groups, { monitors, agents }),
    ...{ show_hostname: showHostname, show_os: showOs, show_version: showVersion },
  };
};

/**
 * A user's configuration with the items that can be selected, and the path of their page. At most 1,000 monitors
 * and servers are listed, selected ones first; `search` finds the others by name or hostname.
 */
export const readConfig = async (
  store: Pick<Store, "db">,
  owner: Owner,
  search = "",
): Promise<Static<typeof StatusPageConfig>> => {
  const saved = await findPage(store, owner.teamId);
  const page = saved ?? { ...emptyPage, slug: await freeSlug(store, owner) };
  const isFirst = (await firstAdmin(store))?.teamId === owner.teamId;
  const { customCss, slug } = page;
  const chosen = {
    monitors: await knownIds(store, owner, monitors, page.monitors),
    agents: await knownIds(store, owner, agents, page.agents),
  };
  return {
    ...presentPage(page, chosen),
    /** The beginnings of the parts that are removed from the stylesheet because they could load or run something. */
    css_dropped: sanitizeCss(customCss).dropped,
    slug,
    path: isFirst ? "/status" : `/status/${encodeURIComponent(slug)}`,
    published: saved !== undefined,
    page_id: saved?.id ?? null,
    monitor_ids: chosen.monitors,
    agent_ids: chosen.agents,
    monitors: await listMonitors(store, owner, { chosen: page.monitors, search }),
    agents: await listServers(store, owner, { chosen: page.agents, search }),
    /** The total, including items that are not listed. */
    monitors_total: await store.db.$count(monitors, ownedBy(monitors, owner.teamId)),
    agents_total: await store.db.$count(agents, ownedBy(agents, owner.teamId)),
  };
};

const errorsOf = async (
  store: Pick<Store, "db">,
  owner: Owner,
  sent: ConfigBody,
  logo: { path: string; url: string } | undefined,
) => {
  const errors: FieldError[] = [];
  if (logo && !isLogo(logo.url))
    errors.push({
      path: logo.path,
      message: `${logo.path}: expected an https:// address, or a data: address of a PNG, JPEG, GIF, WebP or SVG picture`,
    });
  const groups = groupsOf(sent) ?? [];
  const chosen = chosenOf(sent);
  for (const [path, table, ids] of [
    [sent.monitors ? "monitors" : "monitor_ids", monitors, chosen.monitors ?? []],
    [sent.agents ? "agents" : "agent_ids", agents, chosen.agents ?? []],
    ["groups", monitors, groupedIds(groups, "monitors")],
    ["groups", agents, groupedIds(groups, "agents")],
  ] as const) {
    const ownIds = new Set(await knownIds(store, owner, table, ids));
    const unknown = ids.filter((one) => !ownIds.has(one));
    if (unknown.length > 0)
      errors.push({ path, message: `${path}: none of yours has the id ${unknown.slice(0, 10).join(", ")}` });
  }
  return errors;
};

/** The groups of a request with all their fields; undefined if they are not sent. */
export const groupsOf = ({ groups }: ConfigBody): StatusGroup[] | undefined =>
  groups?.map(({ name, tag, monitors = [], agents = [] }) => ({ name, ...(tag && { tag }), monitors, agents }));

/** The chosen monitors and servers, in either spelling of a request; undefined if they are not sent. */
export const chosenOf = (sent: ConfigBody) => ({
  monitors: sent.monitors ?? sent.monitor_ids,
  agents: sent.agents ?? sent.agent_ids,
});

/** The fields of servers that a page shows, in either spelling of a request; undefined if they are not sent. */
const switchesOf = (sent: ConfigBody) => ({
  showHostname: sent.show_hostname ?? sent.showHostname,
  showOs: sent.show_os ?? sent.showOs,
  showVersion: sent.show_version ?? sent.showVersion,
});

/** The columns that a request sets. */
export const columnsOf = (sent: ConfigBody) => {
  const groups = groupsOf(sent);
  const chosen = chosenOf(sent);
  return Object.fromEntries(
    Object.entries({
      title: sent.title?.trim(),
      description: sent.description?.trim(),
      logoUrl: (sent.logoUrl ?? sent.logo_url)?.trim(),
      customCss: sent.customCss ?? sent.custom_css,
      theme: sent.theme,
      monitors: chosen.monitors && [...new Set(chosen.monitors)],
      agents: chosen.agents && [...new Set(chosen.agents)],
      groups:
        groups &&
        cleanGroups(groups, { monitors: groupedIds(groups, "monitors"), agents: groupedIds(groups, "agents") }),
      ...switchesOf(sent),
    }).filter(([, value]) => value !== undefined),
  ) as Partial<PageColumns>;
};

/**
 * The columns that a request changes.
 * @throws {AppError} validation, also for ids of other users' monitors and servers
 */
const changesOf = async (store: Pick<Store, "db">, owner: Owner, sent: ConfigBody) => {
  const path = sent.logoUrl === undefined ? "logo_url" : "logoUrl";
  const url = sent[path]?.trim();
  const errors = await errorsOf(store, owner, sent, url === undefined ? undefined : { path, url });
  if (errors.length > 0) throw validation(errors);
  return columnsOf(sent);
};

/**
 * The page as it would be with a configuration; omitted fields are as they are saved.
 * @throws {AppError} validation, also for ids of other users' monitors and servers
 */
export const draftPage = async (store: Store, owner: Owner, sent: ConfigBody): Promise<StatusPage> => {
  const page = (await findPage(store, owner.teamId)) ?? { ...unsavedPage, ...madeBy(owner) };
  return { ...page, ...(await changesOf(store, owner, sent)), updatedAt: page.updatedAt ?? store.clock.now() };
};

/** Changes or publishes a team's first page within a transaction. Returns false when another user took the slug concurrently. */
const writePage = async (store: Store, owner: Owner, changes: Partial<PageColumns>): Promise<boolean> => {
  const updatedAt = store.clock.now();
  await lockOwner(store.db, madeBy(owner));
  const before = await findPage(store, owner.teamId);
  const name = changes.title ?? before?.title ?? "";
  const logged = { object: { type: "status_page", id: null, name }, teamId: owner.teamId } as const;
  if (before) {
    const after = { ...before, ...changes, updatedAt };
    await store.db
      .update(statusPages)
      .set({ ...changes, updatedAt })
      .where(eq(statusPages.id, before.id));
    await syncListed(store, after);
    await recordChange(store, owner, { action: "changed", ...logged, before, after });
    return true;
  }
  const [inserted] = await store.db
    .insert(statusPages)
    .values({
      ...emptyPage,
      ...changes,
      ...madeBy(owner),
      key: newKey(),
      slug: await freeSlug(store, owner),
      updatedAt,
    })
    .onConflictDoNothing()
    .returning();
  if (!inserted) return false;
  await syncListed(store, inserted);
  await recordChange(store, owner, { action: "created", ...logged });
  return true;
};

/**
 * Publishes a configuration; omitted fields stay unchanged. Returns the parts of the stylesheet that are not served.
 * @throws {AppError} validation, also for ids of other users' monitors and servers
 */
export const saveConfig = async (store: Store, owner: Owner, sent: ConfigBody): Promise<{ cssDropped: string[] }> => {
  const changes = await changesOf(store, owner, sent);
  for (let written = false, attempt = 0; !written && attempt < SLUG_TRIES; attempt++)
    written = await store.db.transact((tx) => writePage({ ...store, db: tx }, owner, changes));
  invalidatePages(store.db);
  return { cssDropped: sanitizeCss(changes.customCss ?? "").dropped };
};
