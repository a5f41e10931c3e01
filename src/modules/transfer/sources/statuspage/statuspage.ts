/**
 * A page of Atlassian Statuspage, or of a product with its format, by its public JSON: an address is read as one document with
 * its summary, its incidents and its maintenance. A file is this document, or one of the answers.
 */
import { PAGE_LIMITS } from "../../../../shared/status/components";
import { STATUS_LIMITS } from "../../../../shared/status-page";
import { readJson, startText } from "../read-text";
import type { Item, ReadContext, Source } from "../source";
import { unreadable } from "../sqlite";
import { boundedItems, clean, type Fields, note, recordOf } from "../text";
import { distinct, type ForeignComponent, idOf, keyIn, listIn, readForeign, tagOf } from "./components";
import { incidentItems, isMaintenanceOver, isOver, maintained, maintenanceItem } from "./incidents";

const NAME = "statuspage";
/** The id of the page within the file. */
const PAGE = 1;

/** A path of letters, digits and hyphens from the name of a page. */
const slugOf = (name: string): string =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, PAGE_LIMITS.slug) || "status";

type Foreign = { page: Fields; summary: Fields; incidents: Fields[]; maintenances: Fields[] };

const foreignOf = (document: Fields): Foreign => {
  const summary = document.summary === undefined ? document : recordOf(document.summary);
  const page = recordOf(summary.page);
  if (idOf(page) === "" || clean(page.name, STATUS_LIMITS.title) === "") throw unreadable("it names no page");
  const all = (name: string) => distinct([...listIn(recordOf(document[name]), name), ...listIn(summary, name)]);
  return { page, summary, incidents: all("incidents"), maintenances: all("scheduled_maintenances") };
};

/** The status that is set by hand: none while an incident or maintenance says it, because it would stay when that is over. */
const fixedStatusOf = (
  { id, status }: ForeignComponent,
  inIncident: ReadonlySet<string>,
  inMaintenance: ReadonlySet<string>,
) => (inMaintenance.has(id) && status === "under_maintenance" ? null : inIncident.has(id) ? "operational" : status);

const draftItems = (foreign: Foreign, now: number): Item[] => {
  const found = readForeign(foreign.summary, PAGE, now);
  const components = found.slice(0, PAGE_LIMITS.components);
  const page = { id: PAGE, components, now };
  const open = foreign.incidents.filter((incident) => !isOver(incident));
  const inIncident = new Set(open.flatMap((incident) => listIn(incident, "components").map(idOf)));
  const planned = foreign.maintenances.filter((maintenance) => !isMaintenanceOver(maintenance, now));
  const inMaintenance = new Set(planned.flatMap((one) => maintained(one, page).map(({ id }) => id)));
  const title = clean(foreign.page.name, STATUS_LIMITS.title);
  const item: Item = {
    ...{ part: "pages", externalId: `page:${idOf(foreign.page)}`, name: title, kind: "status page" },
    content: {
      ...{ id: PAGE, slug: slugOf(title), title, ...keyIn(foreign.page) },
      components: components.map((one) => ({
        ...{ name: one.place.name, group: one.place.group, description: one.description },
        ...(one.key && { key: one.key }),
        ...(one.createdAt !== null && { created_at: new Date(one.createdAt).toISOString() }),
        ...(inMaintenance.has(one.id) && { tag: tagOf(one) }),
        fixed_status: fixedStatusOf(one, inIncident, inMaintenance),
      })),
    },
    notes: [
      note("components_fixed"),
      ...(found.length > components.length ? [note("components_left_out", `${found.length - components.length}`)] : []),
    ],
  };
  return [
    item,
    ...foreign.maintenances.map((maintenance) => maintenanceItem(maintenance, page)),
    ...incidentItems(foreign.incidents, page),
  ];
};

export const statuspage: Source = {
  name: NAME,
  recognise: (_upload, start) => /^\s*\{\s*"(summary"\s*:\s*\{|page"\s*:\s*\{\s*"id"\s*:)/.test(startText(start)),
  read: async (upload, { now }: ReadContext) => {
    const foreign = foreignOf(recordOf(await readJson(upload)));
    return {
      ...{ source: NAME, version: "", sourceId: idOf(foreign.page).slice(0, 40) },
      ...{ items: boundedItems(draftItems(foreign, now)), rules: {}, history: null },
    };
  },
};
