import { agents, monitors } from "../../db/schema";
import { id, list, object, optional } from "../../server/answers";
import { field } from "../../server/schema";
import { isLogo } from "../../shared/status-page";
import { definePart, type Ids, note } from "../transfer/part";
import { knownIds } from "./choices";
import { cleanGroups } from "./groups";
import { type ConfigBody, configModel } from "./model";
import { emptyPage, findPage } from "./pages/find";
import { chosenOf, columnsOf, groupsOf, pageFields, presentPage, StatusPageConfig, saveConfig } from "./service";

const { theme, groups, show_hostname, show_os, show_version } = StatusPageConfig.properties;
const idsOf = (kind: string) => list(id(`The ${kind}'s id in the file.`, 3), `The ${kind}s on the page.`);

const IDS = [
  ["monitors", "monitors"],
  ["monitor_ids", "monitors"],
  ["agents", "agents"],
  ["agent_ids", "agents"],
] as const;

/** Replaces the ids of a page or group. `path` is the prefix of its lists in error messages. */
const withIds = <Item extends { [Name in (typeof IDS)[number][0]]?: number[] }>(
  item: Item,
  { list }: Ids,
  path = "",
) => ({
  ...item,
  ...Object.fromEntries(
    IDS.flatMap(([name, part]) => {
      const ids = item[name];
      return ids ? [[name, list(part, ids, `${path}${name}`)]] : [];
    }),
  ),
});

/** The status page of an exported file; omitted if the user has saved none. */
export const statusPagePart = definePart({
  key: "status_page",
  counted: "status_page",
  sent: field(configModel, "A page that was saved before is kept."),
  example: { title: "Acme", monitors: [3] },
  exported: optional(
    object({
      ...pageFields,
      theme,
      monitors: idsOf("monitor"),
      agents: idsOf("server"),
      groups,
      ...{ show_hostname, show_os, show_version },
    }),
  ),
  export: async ({ deps, owner }) => {
    const page = await findPage(deps, owner.teamId);
    return page && presentPage(page, page);
  },
  parse: (sent: ConfigBody, refuse) => {
    const logo = sent.logoUrl ?? sent.logo_url;
    if (logo && !isLogo(logo.trim()))
      refuse("logoUrl", "expected an https:// address, or a data: address of a PNG, JPEG, GIF, WebP or SVG picture");
    return sent;
  },
  references: (page, ids) => ({
    ...withIds(page, ids),
    ...(page.groups && { groups: page.groups.map((group, index) => withIds(group, ids, `groups.${index}.`)) }),
  }),
  import: async (sent, { deps, owner }) => {
    const { monitors: sentMonitors = [], agents: sentAgents = [] } = chosenOf(sent);
    const chosen = { monitors: sentMonitors, agents: sentAgents };
    const page = { ...sent, ...chosen, groups: cleanGroups(groupsOf(sent) ?? [], chosen) };
    const stored = await findPage(deps, owner.teamId);
    if (!stored) {
      await saveConfig(deps, owner, page);
      const saved = await findPage(deps, owner.teamId);
      return { ...(saved && { ids: [saved.id] }), created: 1 };
    }
    const before = presentPage(stored, {
      monitors: await knownIds(deps, owner, monitors, stored.monitors),
      agents: await knownIds(deps, owner, agents, stored.agents),
    });
    const columns = { ...emptyPage, ...columnsOf(page) };
    const differs = !Bun.deepEquals(before, presentPage(columns, columns));
    return {
      ids: [stored.id],
      skipped: 1,
      notes: () => (differs ? [note("kept", "status_page", "yours stays as it is")] : []),
    };
  },
});
