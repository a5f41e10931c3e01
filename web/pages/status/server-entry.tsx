import { atom, createStore } from "jotai";
import { renderToString } from "react-dom/server";
import type { Language } from "../../../src/shared/language";
import { pageState } from "../../../src/shared/status/page-state";
import type { Settings } from "../../bootstrap";
import { nowAtom } from "../../lib/now";
import type { Resource } from "../../lib/resource";
import { createTranslator, type Words } from "../shared/translator";
import { withComponents } from "./components";
import { hasExtras } from "./incidents/load";
import { incidentSections } from "./incidents/registry";
import { addIncidents } from "./incidents/sections";
import type { PageData, Section } from "./section";
import { StatusApp } from "./status-page";
import { words } from "./words/all";

addIncidents();

type Options = {
  /** Null where there is no page. */
  page: PageData | null;
  language: Language;
  base: string;
  path: string;
  links: Settings["links"];
  /** The time of rendering, in ms since 1970. */
  now: number;
  parts?: readonly Section[];
};

/**
 * What the browser starts from, so that it renders what the hub rendered. The logo is in the markup already. Not
 * `complete`: a list was too long for the document, and the browser reads all of it.
 */
export type StartState = {
  page: PageData | null;
  complete: boolean;
  path: string;
  now: number;
  /**
   * The words of the rendered language, without the incident words where the page has no incidents. The browser loads others when
   * it needs them.
   */
  words?: { [section: string]: Words };
  /** In the frame of the settings, which send the data. Without words. */
  preview?: true;
};

/** Items of a list in the document. The hub renders them between checks, and a card takes about 0.3 ms. */
const MAX_ITEMS = 100;

/** The page with the beginnings of its lists. */
const shorten = (page: PageData): PageData =>
  Object.fromEntries(
    Object.entries(page).map(([key, value]) => [key, Array.isArray(value) ? value.slice(0, MAX_ITEMS) : value]),
  ) as PageData;

/** Renders a status page on the hub: its markup, the state to hydrate it from, and the words for the document's head. */
export const renderStatusPage = ({ page: whole, language, now, ...props }: Options) => {
  const read = whole && shorten(whole);
  const page = read?.published ? read : null;
  const complete = !whole || !Object.values(whole).some((value) => Array.isArray(value) && value.length > MAX_ITEMS);
  const i18n = createTranslator(language, { words });
  const store = createStore();
  store.set(nowAtom, now);
  const state: Resource<PageData | null> = { data: read, error: undefined, loading: false, loadedAt: now };
  const source = atom(state, () => {});
  const embedded = read && { ...read, logoUrl: "", customCss: "" };
  const { incidents, ...own } = words[language];
  const start: StartState = {
    ...{ page: embedded, complete, path: props.path, now },
    words: hasExtras(read) ? { ...own, incidents } : own,
  };
  return {
    title: page?.title || i18n.t(page ? "statusPage.title" : "statusPage.missing"),
    state: page?.incident
      ? `${i18n.t(`incidents.status.${page.incident.status}`)}: ${page.incident.title}`
      : page?.history
        ? (incidentSections.titleOf?.(page, i18n.t) ?? "")
        : i18n.t(`statusPage.${page ? pageState(withComponents(page)) : "nothing"}`),
    /** Whether it needs the styles of incidents. */
    hasExtras: hasExtras(read),
    html: renderToString(<StatusApp store={store} i18n={i18n} source={source} {...props} />),
    start,
  };
};
