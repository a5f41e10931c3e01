/** Status pages of xugou: the first one becomes the user's first page, unless the user has one. */
import { isLogo, STATUS_LIMITS } from "../../../../shared/status-page";
import { furtherPage } from "../further-page";
import type { Item } from "../source";
import { clean, type Fields, note, numberIn, textOf } from "../text";
import type { XugouRows } from "./rows";

/** The targets on a page that the file has, each once. */
const chosen = (page: number | null, links: readonly Fields[], name: string, targets: readonly Fields[]): number[] => {
  const taken = new Set(targets.map((row) => numberIn(row, "id")));
  const own = links
    .filter((link) => numberIn(link, "config_id") === page)
    .flatMap((link) => numberIn(link, name) ?? []);
  return [...new Set(own)].filter((id) => taken.has(id)).slice(0, STATUS_LIMITS.chosen);
};

const contentOf = (row: Fields) => {
  const logo = textOf(row, "logo_url").trim();
  return {
    title: clean(row.title, STATUS_LIMITS.title),
    description: textOf(row, "description").slice(0, STATUS_LIMITS.description),
    logoUrl: isLogo(logo) && logo.length <= STATUS_LIMITS.logoUrl ? logo : "",
    customCss: textOf(row, "custom_css").slice(0, STATUS_LIMITS.customCss),
  };
};

export const pageItems = (rows: XugouRows): Item[] =>
  rows.status_page_config.map((row, index): Item => {
    const id = numberIn(row, "id");
    const name = clean(row.title, STATUS_LIMITS.title) || `page ${id}`;
    const item = { externalId: `page:${id}`, name, kind: "status page" };
    const content = {
      ...contentOf(row),
      monitors: chosen(id, rows.status_page_monitors, "monitor_id", rows.monitors),
      agents: chosen(id, rows.status_page_agents, "agent_id", rows.agents),
    };
    const isLogoLeft = textOf(row, "logo_url").trim() !== "" && content.logoUrl === "";
    const notes = isLogoLeft ? [note("field_left_out", "logo")] : [];
    // Pages of xugou have no name in an address.
    const further = furtherPage({ id: id ?? 0, slug: name }, content);
    return index === 0
      ? { ...item, part: "status_page", content, notes, further }
      : { ...item, part: "pages", content: further, notes };
  });
