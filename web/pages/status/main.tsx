import { getDefaultStore } from "jotai";
import { startTransition, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { findLanguage, type Language } from "../../../src/shared/language";
import { MINUTE } from "../../../src/shared/limits";
import { bootstrap } from "../../bootstrap";
import { announceLanguage, preferredLanguage } from "../../lib/language";
import { base } from "../../lib/navigation/base-path";
import { noteHubTime, nowAtom, toHubTime } from "../../lib/now";
import { resource, shareUnchanged } from "../../lib/resource";
import { applyTheme, followSystemTheme, type Theme, themeAtom } from "../../lib/theme";
import { followOtherTabs } from "../../session";
import { createTranslator } from "../shared/translator";
import { hasExtras, loadExtras } from "./incidents/load";
import type { PageData } from "./section";
import type { StartState } from "./server-entry";
import { StatusApp } from "./status-page";

const readStart = (): StartState => {
  const start: StartState = JSON.parse(document.getElementById("start")?.textContent ?? "");
  const logoUrl = document.querySelector("img.logo")?.getAttribute("src") ?? "";
  return { ...start, page: start.page && { ...start.page, logoUrl } };
};

const { page, complete, path, now, words, preview } = readStart();
// Below the address of the page, as the cookie of a private one.
const address = `.${path}${page?.incident ? "" : "/data"}.json`;
/** Milliseconds that an answer may be old: caches keep it. */
const MAX_AGE = MINUTE;
let last = page;

/** The owner's theme, or the viewer's if the owner allows it. */
const themeOf = ({ theme }: Pick<PageData, "theme">): Theme =>
  theme === "auto" ? getDefaultStore().get(themeAtom) : theme;

const rendered = findLanguage([document.documentElement.lang]) ?? bootstrap.defaultLanguage;
const loadWords = async (language: Language) =>
  (await (language === "zh-CN" ? import("./words/zh-CN") : import("./words/en-US"))).words;

/** The page as it is now; null where it is gone. */
const load = async (): Promise<PageData | null> => {
  if (page?.history) return page;
  // The browser revalidates its copy, which takes a few bytes while nothing changes.
  const sentAt = Date.now();
  const response = await fetch(address, { signal: AbortSignal.timeout(bootstrap.apiTimeout) });
  noteHubTime(response.headers.get("date") ?? "", sentAt, MAX_AGE);
  if (response.status === 404) return null;
  // The page has become private, or its password was changed: its document asks for it.
  if (response.status === 401) location.reload();
  if (!response.ok) throw new Error(String(response.status));
  const { data, ...part } = (await response.json()) as { data?: PageData; incident?: PageData["incident"] };
  if (!data) {
    last = last && { ...last, ...part };
    return last;
  }
  await loadExtras(data);
  if (words && hasExtras(data)) words.incidents ??= (await loadWords(rendered)).incidents;
  if (data.theme !== last?.theme) applyTheme(themeOf(data));
  last = {
    ...data,
    monitors: shareUnchanged(last?.monitors ?? [], data.monitors),
    agents: shareUnchanged(last?.agents ?? [], data.agents),
    outages: shareUnchanged(last?.outages ?? [], data.outages),
  };
  return last;
};

/** The language that the address asks for. It is not stored: a link does not choose for its reader. */
const asked = findLanguage(new URLSearchParams(location.search).getAll("lang"));
const i18n = createTranslator(rendered, {
  words: words ? { [rendered]: words } : {},
  load: loadWords,
});
i18n.on("languageChanged", () => {
  announceLanguage(i18n.language as Language);
  if (!asked) return;
  // The reader has chosen another one, which is to last when the page is loaded again.
  const url = new URL(location.href);
  url.searchParams.delete("lang");
  history.replaceState(history.state, "", url);
});
// The document of a preview has no time, because it is rendered once.
if (!preview) {
  noteHubTime(now, Date.now(), MAX_AGE);
  getDefaultStore().set(nowAtom, now);
}
const props = { i18n, base, path, links: bootstrap.links };
const source = resource(load, { initial: { data: page, loadedAt: now - toHubTime(0) } });

/** Starts in the language that the hub rendered, and changes to the stored one, unless one is asked for, once hydrated. */
function HydratedApp() {
  useEffect(() => {
    const language = asked ?? preferredLanguage(rendered, []);
    if (language !== rendered) void i18n.changeLanguage(language);
    else if (!asked) announceLanguage(language);
    if (!complete) void getDefaultStore().set(source);
  }, []);
  return <StatusApp {...props} store={getDefaultStore()} source={source} />;
}

followOtherTabs();
followSystemTheme(() => themeOf(last ?? { theme: "light" }));
const root = document.getElementById("root");
if (root && preview) {
  const start = async () => {
    await i18n.changeLanguage(preferredLanguage(rendered, []));
    // Only the settings need it.
    const { startPreview } = await import("./preview");
    startPreview(root, props, (data) => applyTheme(themeOf(data)));
  };
  void start();
} else if (root) {
  // In a transition, React hydrates in short tasks, and the browser handles input between them.
  void loadExtras(page).then(() => startTransition(() => void hydrateRoot(root, <HydratedApp />)));
}
