import { agents, monitors } from "../../db/schema";
import { boolean, id, list, object, optional, text } from "../../server/answers";
import { field } from "../../server/schema";
import { isLogo } from "../../shared/status-page";
import { definePart, type Importing, note } from "../transfer/part";
import { knownIds } from "./choices";
import { cleanGroups } from "./groups";
import { type ConfigBody, configModel } from "./model";
import {
  chosenOf,
  columnsOf,
  emptyPage,
  findPage,
  groupsField,
  groupsOf,
  presentPage,
  saveConfig,
  themeField,
} from "./service";

const idsOf = (kind: string) => list(id(`The ${kind}'s id in the file.`, 3), `The ${kind}s on the page.`);

/** The page of a file with the ids of this installation. */
const translate = (sent: ConfigBody, { idOf }: Pick<Importing, "idOf">): ConfigBody => {
  const here = (part: "monitors" | "agents", ids: readonly number[] = []) =>
    [...new Set(ids.map((one) => idOf(part, one)))].filter((one) => one !== null);
  const { monitors: sentMonitors, agents: sentAgents } = chosenOf(sent);
  const chosen = { monitors: here("monitors", sentMonitors), agents: here("agents", sentAgents) };
  const groups = (groupsOf(sent) ?? []).map((group) => ({
    ...group,
    monitors: here("monitors", group.monitors),
    agents: here("agents", group.agents),
  }));
  return { ...sent, ...chosen, groups: cleanGroups(groups, chosen) };
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
  export: async ({ deps, owner, has }) => {
    const page = await findPage(deps, owner.id);
    return (
      page &&
      presentPage(page, {
        monitors: page.monitors.filter((one) => has("monitors", one)),
        agents: page.agents.filter((one) => has("agents", one)),
      })
    );
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
  import: async (sent, context) => {
    const { deps, owner } = context;
    const page = translate(sent, context);
    const stored = await findPage(deps, owner.id);
    if (!stored) {
      await saveConfig(deps, owner, page);
      return { created: 1 };
    }
    const before = presentPage(stored, {
      monitors: await knownIds(deps, owner, monitors, stored.monitors),
      agents: await knownIds(deps, owner, agents, stored.agents),
    });
    const columns = { ...emptyPage, ...columnsOf(page) };
    const differs = !Bun.deepEquals(before, presentPage(columns, columns));
    return { skipped: 1, notes: () => (differs ? [note("kept", "status_page", "yours stays as it is")] : []) };
  },
});
