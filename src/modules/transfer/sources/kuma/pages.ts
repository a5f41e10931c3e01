/** Status pages of Uptime Kuma: the first published one becomes the user's page. */
import { isLogo, STATUS_LIMITS, STATUS_THEMES } from "../../../../shared/status-page";
import type { Item, Note } from "../source";
import { clean, type Fields, flagIn, note, numberIn, textOf } from "../text";
import type { KumaRows } from "./rows";

const byWeight = (one: Fields, other: Fields) =>
  (numberIn(one, "weight") ?? 0) - (numberIn(other, "weight") ?? 0) ||
  (numberIn(one, "id") ?? 0) - (numberIn(other, "id") ?? 0);

/** The groups of a page with the monitors that become monitors here, in order. */
const groupsOf = (rows: KumaRows, page: number, taken: ReadonlySet<number>) =>
  rows.group
    .filter((row) => numberIn(row, "status_page_id") === page && flagIn(row, "public"))
    .toSorted(byWeight)
    .map((group) => ({
      name: clean(group.name, STATUS_LIMITS.groupName) || "Services",
      agents: [] as number[],
      monitors: [
        ...new Set(
          rows.monitor_group
            .filter((row) => numberIn(row, "group_id") === numberIn(group, "id"))
            .toSorted(byWeight)
            .map((row) => numberIn(row, "monitor_id") ?? 0)
            .filter((id) => taken.has(id)),
        ),
      ],
    }));

const contentOf = (
  rows: KumaRows,
  row: Fields,
  taken: ReadonlySet<number>,
): { content: Item["content"]; notes: Note[] } => {
  const groups = groupsOf(rows, numberIn(row, "id") ?? 0, taken).slice(0, STATUS_LIMITS.groups);
  const monitors = [...new Set(groups.flatMap((group) => group.monitors))].slice(0, STATUS_LIMITS.chosen);
  const logo = textOf(row, "icon").trim();
  const theme = textOf(row, "theme");
  const css = textOf(row, "custom_css");
  const content = {
    title: clean(row.title, STATUS_LIMITS.title),
    description: textOf(row, "description").slice(0, STATUS_LIMITS.description),
    theme: STATUS_THEMES.find((one) => one === theme) ?? "auto",
    logoUrl: isLogo(logo) && logo.length <= STATUS_LIMITS.logoUrl ? logo : "",
    customCss: css.trim() === "body {\n  \n}" ? "" : css.slice(0, STATUS_LIMITS.customCss),
    groups,
    monitors,
  };
  // Uptime Kuma's own logo is a path on its server.
  const isOwnLogo = logo === "" || logo === "/icon.svg";
  return {
    content,
    notes: [
      ...(content.logoUrl === "" && !isOwnLogo ? [note("field_left_out", "icon")] : []),
      ...(textOf(row, "footer_text").trim() === "" ? [] : [note("field_left_out", "footer")]),
    ],
  };
};

/** The pages of a file. `taken` are the ids of monitors that become monitors here. */
export const pageItems = (rows: KumaRows, taken: ReadonlySet<number>): Item[] => {
  const first = rows.status_page.find((row) => flagIn(row, "published"));
  return rows.status_page.map((row): Item => {
    const item = {
      part: "status_page" as const,
      externalId: `page:${numberIn(row, "id")}`,
      name: clean(row.title, STATUS_LIMITS.title) || clean(row.slug, STATUS_LIMITS.title),
      kind: "status page",
    };
    if (row === first) return { ...item, ...contentOf(rows, row, taken) };
    return { ...item, content: null, notes: [note(flagIn(row, "published") ? "page_second" : "page_unpublished")] };
  });
};
