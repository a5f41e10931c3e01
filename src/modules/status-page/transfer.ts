import { sql } from "drizzle-orm";
import { ownedBy } from "../../db/owner";
import { agents, monitors, statusPages } from "../../db/schema";
import { isOneOf } from "../../db/sql";
import { boolean, id, list, object, optional, text } from "../../server/answers";
import { field } from "../../server/schema";
import { isLogo } from "../../shared/status-page";
import { definePart, type Exporting, type Importing, insertRows, note } from "../transfer/part";
import { cleanGroups } from "./groups";
import { type ConfigBody, configModel } from "./model";
import { chosenOf, freeSlug, groupsField, groupsOf, switchesOf, themeField } from "./service";

const idsOf = (kind: string) => list(id(`The ${kind}'s id in the file.`, 3), `The ${kind}s on the page.`);

const COLUMNS = {
  title: "text",
  description: "text",
  logo_url: "text",
  custom_css: "text",
  theme: "text",
  monitors: "json",
  agents: "json",
  groups: "json",
  show_hostname: "boolean",
  show_os: "boolean",
  show_version: "boolean",
  slug: "text",
} as const;

const findPage = async ({ deps, owner }: Pick<Exporting, "deps" | "owner">) =>
  (await deps.db.select().from(statusPages).where(ownedBy(statusPages, owner.id)))[0];

/** Those that still exist, in order: a stored page may have chosen deleted items. */
const existing = async (
  { deps: { db } }: Pick<Importing, "deps">,
  table: typeof monitors | typeof agents,
  ids: readonly number[],
): Promise<number[]> => {
  if (ids.length === 0) return [];
  const rows = await db.select({ id: table.id }).from(table).where(isOneOf(table.id, ids));
  const found = new Set(rows.map((row) => row.id));
  return ids.filter((one) => found.has(one));
};

/** The page of a file, with ids of this installation. */
const planPage = (sent: ConfigBody, { idOf }: Pick<Importing, "idOf">) => {
  const translate = (part: "monitors" | "agents", sentIds = chosenOf(sent)[part] ?? []) => {
    const ids = sentIds.map((one) => idOf(part, one));
    return [...new Set(ids.filter((one) => one !== null))];
  };
  const { showHostname = true, showOs = true, showVersion = true } = switchesOf(sent);
  const chosen = { monitors: translate("monitors"), agents: translate("agents") };
  const groups = (groupsOf(sent) ?? []).map((group) => ({
    name: group.name,
    ...(group.tag && { tag: group.tag }),
    monitors: translate("monitors", group.monitors),
    agents: translate("agents", group.agents),
  }));
  return {
    title: sent.title?.trim() ?? "",
    description: sent.description?.trim() ?? "",
    logoUrl: (sent.logoUrl ?? sent.logo_url ?? "").trim(),
    customCss: sent.customCss ?? sent.custom_css ?? "",
    theme: sent.theme ?? "light",
    ...chosen,
    groups: cleanGroups(groups, chosen),
    showHostname,
    showOs,
    showVersion,
  };
};

/** The status page of an exported file; omitted if the user has saved none. */
export const statusPagePart = definePart({
  key: "status_page",
  counted: "status_page",
  sent: field(configModel, "A page that was saved before is kept."),
  example: { title: "Acme", monitors: [3] },
  exported: optional(
    object({
      title: text("The page's title.", "Acme"),
      description: text("The text below the title.", "How our services are doing."),
      logoUrl: text("An https address or a data: image; empty for none.", ""),
      customCss: text("The custom stylesheet.", ""),
      theme: themeField,
      monitors: idsOf("monitor"),
      agents: idsOf("server"),
      groups: groupsField,
      show_hostname: boolean("Whether the page shows servers' host names.", false),
      show_os: boolean("Whether it shows their operating systems.", false),
      show_version: boolean("Whether it shows the versions of their systems.", false),
    }),
  ),
  export: async (context) => {
    const page = await findPage(context);
    if (!page) return undefined;
    const { title, description, logoUrl, customCss, theme } = page;
    const exported = {
      monitors: page.monitors.filter((one) => context.has("monitors", one)),
      agents: page.agents.filter((one) => context.has("agents", one)),
    };
    return {
      title,
      description,
      logoUrl,
      customCss,
      theme,
      ...exported,
      groups: cleanGroups(page.groups, exported),
      show_hostname: page.showHostname,
      show_os: page.showOs,
      show_version: page.showVersion,
    };
  },
  check: (sent, { refuse, refer }) => {
    for (const part of ["monitors", "agents"] as const)
      for (const [index, one] of (sent[part] ?? []).entries()) refer(`${part}.${index}`, part, one);
    for (const [place, group] of (sent.groups ?? []).entries())
      for (const part of ["monitors", "agents"] as const)
        for (const [index, one] of (group[part] ?? []).entries()) refer(`groups.${place}.${part}.${index}`, part, one);
    const logo = sent.logoUrl ?? sent.logo_url;
    if (logo && !isLogo(logo.trim()))
      refuse("logoUrl", "expected an https:// address, or a data: address of a PNG, JPEG, GIF, WebP or SVG picture");
  },
  plan: async (sent, context) => {
    const { deps, owner } = context;
    const page = planPage(sent, context);
    const stored = await findPage(context);
    if (stored) {
      const monitorIds = await existing(context, monitors, stored.monitors);
      const agentIds = await existing(context, agents, stored.agents);
      const groups = cleanGroups(stored.groups, { monitors: monitorIds, agents: agentIds });
      const before = { ...stored, monitors: monitorIds, agents: agentIds, groups };
      const names = Object.keys(page) as (keyof typeof page)[];
      const differs = names.some((name) => !Bun.deepEquals(before[name], page[name]));
      return { skipped: 1, notes: () => (differs ? [note("kept", "status_page", "yours stays as it is")] : []) };
    }
    const slug = await freeSlug(deps, owner);
    return {
      created: 1,
      condition: sql`not exists (select 1 from ${statusPages}
        where ${statusPages.slug} = ${slug} and ${statusPages.userId} <> ${owner.id})`,
      // The user may have saved a page since it was read.
      statements: ({ now, condition }) => {
        const common = { user_id: owner.id, updated_at: now };
        // In the order of the columns.
        const rows = [[...Object.values(page), slug]];
        return [sql`${insertRows(statusPages, COLUMNS, rows, { common, condition })} on conflict do nothing`];
      },
    };
  },
});
