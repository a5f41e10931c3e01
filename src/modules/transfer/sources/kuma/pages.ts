/** Status pages of Uptime Kuma and their incidents: the first published page becomes the user's first page, unless the user has one. */

import { INCIDENT_LIMITS } from "../../../../shared/status/incidents";
import { isLogo, STATUS_LIMITS, STATUS_THEMES } from "../../../../shared/status-page";
import { furtherPage } from "../further-page";
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

const contentOf = (rows: KumaRows, row: Fields, taken: ReadonlySet<number>) => {
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
  const notes: Note[] = [
    ...(content.logoUrl === "" && !isOwnLogo ? [note("field_left_out", "icon")] : []),
    ...(textOf(row, "footer_text").trim() === "" ? [] : [note("field_left_out", "footer")]),
  ];
  return { content, notes };
};
const IMPACTS: Readonly<Record<string, string>> = { warning: "minor", danger: "major" };

/** A time of Uptime Kuma, which is in UTC and may have no zone. */
const timeOf = (value: string): number =>
  Date.parse(/^[\d-]+ [\d:.]+$/.test(value) ? `${value.replace(" ", "T")}Z` : value);

/** The announcements of a page. They have one text and no updates, and are over once they are not shown any more. */
export const incidentItems = (rows: KumaRows, pages: readonly Item[], now: number): Item[] =>
  rows.incident.map((row): Item => {
    const id = numberIn(row, "id");
    const title = clean(row.title, INCIDENT_LIMITS.title);
    const item = {
      part: "incidents" as const,
      externalId: `incident:${id}`,
      name: title || "incident",
      kind: "incident",
    };
    const page = numberIn(row, "status_page_id");
    if (!pages.some(({ content }) => content?.id === page))
      return { ...item, content: null, notes: [note("parent_left_out")] };
    const past = (name: string) => {
      const time = timeOf(textOf(row, name));
      return Number.isFinite(time) && time >= 0 ? Math.min(time, now) : null;
    };
    const started = past("created_date") ?? now;
    const ended = Math.max(started, past("last_updated_date") ?? started);
    const body = textOf(row, "content").trim().slice(0, INCIDENT_LIMITS.body);
    if (title === "" || body === "") return { ...item, content: null, notes: [note("invalid", "title, content")] };
    const update = (status: string, at: number) => ({ status, body, at: new Date(at).toISOString() });
    const isShown = flagIn(row, "active") && (row.pin === undefined || flagIn(row, "pin"));
    return {
      ...item,
      content: {
        ...{ title, impact: IMPACTS[textOf(row, "style")] ?? "none", started_at: new Date(started).toISOString() },
        pages: [page],
        updates: [isShown ? update("identified", started) : update("resolved", ended)],
      },
      notes: [],
    };
  });

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
    if (!flagIn(row, "published")) return { ...item, content: null, notes: [note("page_unpublished")] };
    const { content, notes } = contentOf(rows, row, taken);
    const id = numberIn(row, "id") ?? 0;
    const further = furtherPage({ id, slug: textOf(row, "slug") }, content);
    return row === first
      ? { ...item, content: { id, ...content }, notes, further }
      : { ...item, part: "pages", content: further, notes };
  });
};
