/** The pages of a team with their own components in an exported file. */
import { type Static, t } from "elysia";
import { isoTime } from "../../../lib/time";
import { id, list, object, time } from "../../../server/answers";
import { field } from "../../../server/schema";
import { KEY_LETTERS, KEY_PATTERN, PAGE_LIMITS } from "../../../shared/status/components";
import { DOMAIN_PROBLEMS, parseDomain } from "../../../shared/status/domains";
import {
  atMost,
  definePart,
  fileId,
  type Ids,
  type Importing,
  note,
  parseItem,
  type Refuse,
} from "../../transfer/part";
import { importedAccess } from "../access/settings";
import { invalidatePages } from "../cache";
import { importDomains } from "../domains/domains";
import { canonicalSlug } from "../model";
import { readDomains } from "./address";
import { readComponents } from "./components";
import { freeSlug, isTaken, type PageRow } from "./find";
import { componentModel, newPageModel } from "./model";
import { PageComponentSchema, PageSchema, presentWhole } from "./present";
import { columnsOfPage, completePage, insertPage, readPages } from "./service";
import { problemOf } from "./write-components";

const key = t.Optional(
  field(
    t.String({ maxLength: KEY_LETTERS, pattern: KEY_PATTERN, error: "expected 12 small letters and digits" }),
    "Its id in Statuspage's format, kept where it is free.",
  ),
);
const sentComponent = t.Composite([
  t.Omit(componentModel, ["id"]),
  t.Object({
    key,
    created_at: t.Optional(
      t.String({ format: "date-time", maxLength: 40, error: "expected a time such as 2026-01-15T12:00:00Z" }),
    ),
  }),
]);
const sentPage = t.Composite([
  t.Omit(newPageModel, ["components", "password"]),
  t.Object({
    id: t.Optional(fileId),
    key,
    first: t.Optional(t.Boolean({ error: "expected true or false" })),
    components: t.Optional(t.Array(sentComponent, atMost(PAGE_LIMITS.components))),
  }),
]);
type Sent = Static<typeof sentPage>;
type SentComponent = Static<typeof sentComponent>;

const { name, group, description, monitors, agents, tag, mode, n, fixed_status, show } = PageComponentSchema.properties;
const { components_total, css_dropped, updated_at, components, path, first, has_password, has_key, ...pageFields } =
  PageSchema.properties;
const exportedPage = object({
  ...pageFields,
  first,
  id: id("Its id in the file.", 2),
  components: list(
    object({
      ...{ key: PageComponentSchema.properties.key, name, group, description },
      ...{ monitors, agents, tag, mode, n, fixed_status, show },
      created_at: time("When it was created."),
    }),
    "Its components, without those that stand for the lists of the first page.",
  ),
});
type Exported = Static<typeof exportedPage>;

/** A page as in an exported file, with the ids of its monitors and servers here. */
const presentExported = async (deps: Importing["deps"], page: PageRow, isFirst: boolean): Promise<Exported> => {
  const own = (await readComponents(deps, page)).filter(({ row }) => !row.listed);
  const domains = await readDomains(deps, page.id);
  const whole = presentWhole(page, { first: isFirst, path: "", components: own.length, domains }, own);
  const { components_total: _, css_dropped: __, updated_at: ___, path: ____, components, ...rest } = whole;
  const { has_password: _____, has_key: ______, ...fields } = rest;
  return {
    ...fields,
    components: components.flatMap(({ id, listed: _, label: __, targets, ...component }) => {
      const existing = (type: "monitor" | "agent") => targets.flatMap((one) => (one.type === type ? one.id : []));
      const created_at = isoTime(own.find(({ row }) => row.id === id)?.row.createdAt ?? page.updatedAt);
      return fit({ ...component, created_at, monitors: existing("monitor"), agents: existing("agent") }) ?? [];
    }),
  };
};

/** A component whose number of targets fits those that it has; null if nothing is left that it is about. */
const fit = <Component extends SentComponent>(component: Component): Component | null => {
  const count = (component.monitors?.length ?? 0) + (component.agents?.length ?? 0);
  const n = component.tag || !component.n ? component.n : Math.max(1, Math.min(component.n, count));
  const fitted = n === undefined ? component : { ...component, n };
  return problemOf(fitted) ? null : fitted;
};

/** A component with the ids of its monitors and servers replaced; null if nothing is left that it is about. */
const withIds = (component: SentComponent, { list: map }: Ids, path: string): SentComponent | null => {
  const ids = (part: "monitors" | "agents") => map(part, component[part] ?? [], `${path}.${part}`);
  return fit({ ...component, monitors: ids("monitors"), agents: ids("agents") });
};

/** What makes two pages equal, in whichever team and under whichever address. */
const equalKey = ({ id: _, key: __, first: ___, slug: ____, ...page }: Exported | Sent): string =>
  JSON.stringify([
    page.title?.trim() ?? "",
    page.description?.trim() ?? "",
    (page.components ?? []).map(({ name, group }) => [name?.trim() || null, group?.trim() ?? ""]),
  ]);

/** The page of the team that each page of a file is, or null; each at most once. */
const matchPages = (sent: readonly Sent[], stored: readonly Exported[]): (Exported | null)[] => {
  const left = new Set(stored);
  const matched = new Map<Sent, Exported>();
  const match = (isSame: (one: Sent, page: Exported) => boolean) => {
    for (const one of sent) {
      const page = matched.has(one) ? undefined : [...left].find((page) => isSame(one, page));
      if (!page) continue;
      matched.set(one, page);
      left.delete(page);
    }
  };
  match((one, page) => one.first === true && page.first);
  match((one, page) => !one.first && canonicalSlug(one.slug) === page.slug);
  match((one, page) => !one.first && equalKey(one) === equalKey(page));
  return sent.map((one) => matched.get(one) ?? null);
};

const problemsOf = (sent: Sent[], refuse: Refuse): Sent[] => {
  for (const [index, page] of sent.entries()) {
    if (canonicalSlug(page.slug.trim()) === null)
      refuse(`${index}.slug`, "expected letters, digits, underscores and hyphens");
    parseItem(() => columnsOfPage(page), { index, refuse, otherwise: null });
    for (const [place, domain] of (page.domains ?? []).entries()) {
      const parsed = parseDomain(domain);
      if ("problem" in parsed) refuse(`${index}.domains.${place}`, DOMAIN_PROBLEMS[parsed.problem]);
    }
    for (const [place, component] of (page.components ?? []).entries()) {
      const problem = problemOf(component);
      if (problem) refuse(`${index}.components.${place}.${problem.field}`, problem.message);
    }
  }
  return sent;
};

/** Creates a page, under another address if its own is taken. */
const create = async ({ deps, owner }: Importing, { id: _, first: __, ...page }: Sent) => {
  const slug = canonicalSlug(page.slug.trim()) as string;
  const free = (await isTaken(deps, slug)) ? await freeSlug(deps, { username: slug }) : slug;
  const { id } = await insertPage(deps, owner, { ...page, slug: free }, importedAccess(page));
  return { id, isMoved: free !== slug };
};

/**
 * The pages of an exported file. The first one is also the part `status_page`, which holds its lists: the rest of it is stored
 * where that part was.
 */
export const pagesPart = definePart({
  key: "pages",
  counted: "pages",
  sent: field(
    t.Array(sentPage, atMost(PAGE_LIMITS.pages)),
    "Status pages with their own components. Those that the team has, by address or content, are kept.",
  ),
  exported: list(exportedPage),
  async *export({ deps, owner }) {
    for (const [index, page] of (await readPages(deps, owner.teamId)).entries())
      yield await presentExported(deps, page, index === 0);
  },
  parse: problemsOf,
  references: (page, ids) => ({
    ...page,
    components: (page.components ?? []).flatMap((one, place) => withIds(one, ids, `components.${place}`) ?? []),
  }),
  import: async (sent, context) => {
    const { deps, owner } = context;
    const rows = await readPages(deps, owner.teamId);
    const stored: Exported[] = [];
    for (const [index, page] of rows.entries()) stored.push(await presentExported(deps, page, index === 0));
    const matched = matchPages(sent, stored);
    const ids: number[] = [];
    const isNew: boolean[] = [];
    const completed = new Set<number>();
    const kept = sent.flatMap((page, index) => {
      const before = matched[index];
      return before && !before.first && equalKey(before) !== equalKey(page) ? [index] : [];
    });
    const changed: { index: number; code: "page_address_new" }[] = [];
    const withoutDomains = new Map<number, string[]>();
    for (const [index, page] of sent.entries()) {
      const before = matched[index];
      const isSaved = before?.first === true && context.created("status_page") > 0;
      if (isSaved) await completePage(deps, rows[0] as PageRow, page);
      if (isSaved) completed.add(index);
      const created = before ? null : await create(context, page);
      const id = created?.id ?? (before as Exported).id;
      const refused = created || isSaved ? await importDomains(deps, context.owner, id, page.domains ?? []) : [];
      if (refused.length > 0) withoutDomains.set(index, refused);
      if (created?.isMoved) changed.push({ index, code: "page_address_new" });
      ids.push(id);
      isNew.push(created !== null);
    }
    const added = isNew.filter(Boolean).length;
    // The first page is counted as the part `status_page`.
    const further = sent.filter((_, index) => !matched[index]?.first).length;
    return {
      ...{ ids, isNew, changed, created: added, skipped: further - added },
      stored: ({ db }) => invalidatePages(db),
      notes: () => [
        ...changed.map(({ index }) =>
          note(
            "page_address_new",
            `pages.${index}`,
            `"${sent[index]?.slug}" is in use, so the page has another address`,
          ),
        ),
        ...[...withoutDomains].map(([index, domains]) =>
          note("page_domain_taken", `pages.${index}`, `these domains can't be used here: ${domains.join(", ")}`),
        ),
        ...sent.flatMap(({ access }, index) =>
          access === "password" && (isNew[index] || completed.has(index))
            ? [note("secret_missing", `pages.${index}`, "it is closed until its password is entered")]
            : [],
        ),
        ...kept.map((index) => note("kept", `pages.${index}`, "yours stays as it is")),
      ],
    };
  },
});
