/** Status pages of xugou: the first one becomes the user's page. */
import { isLogo, STATUS_LIMITS } from "../../../../shared/status-page";
import type { Item } from "../source";
import { clean, type Fields, note, numberIn, textOf } from "../text";
import type { XugouRows } from "./rows";

const contentOf = (row: Fields, monitors: readonly number[]): Item["content"] => {
  const logo = textOf(row, "logo_url").trim();
  return {
    title: clean(row.title, STATUS_LIMITS.title),
    description: textOf(row, "description").slice(0, STATUS_LIMITS.description),
    logoUrl: isLogo(logo) && logo.length <= STATUS_LIMITS.logoUrl ? logo : "",
    customCss: textOf(row, "custom_css").slice(0, STATUS_LIMITS.customCss),
    monitors,
  };
};

export const pageItems = (rows: XugouRows): Item[] => {
  const taken = new Set(rows.monitors.map((row) => numberIn(row, "id")));
  return rows.status_page_config.map((row, index): Item => {
    const id = numberIn(row, "id");
    const item = {
      part: "status_page" as const,
      ...{ externalId: `page:${id}`, name: clean(row.title, STATUS_LIMITS.title) || `page ${id}`, kind: "status page" },
    };
    if (index > 0) return { ...item, content: null, notes: [note("page_second")] };
    const chosen = rows.status_page_monitors
      .filter((one) => numberIn(one, "config_id") === id)
      .flatMap((one) => numberIn(one, "monitor_id") ?? [])
      .filter((one) => taken.has(one));
    const content = contentOf(row, [...new Set(chosen)].slice(0, STATUS_LIMITS.chosen));
    const hasLogo = textOf(row, "logo_url").trim() !== "";
    return {
      ...item,
      content,
      notes: hasLogo && content?.logoUrl === "" ? [note("field_left_out", "logo")] : [],
    };
  });
};
