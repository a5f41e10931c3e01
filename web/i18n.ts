import i18next, { type BackendModule } from "i18next";
import { initReactI18next } from "react-i18next";
import { LANGUAGES, type Language } from "../src/shared/language";
import { bootstrap } from "./bootstrap";
import { announceLanguage, languageInAddress, preferredLanguage } from "./lib/language";
import { withFirst } from "./locales/merge";
import type { zhCN } from "./locales/zh-CN";
import type { changes } from "./locales/zh-CN/accounts/changes";
import type { checklist } from "./locales/zh-CN/accounts/checklist";
import type { factors } from "./locales/zh-CN/accounts/factors";
import type { keyScopes } from "./locales/zh-CN/accounts/key-scopes";
import type { teams } from "./locales/zh-CN/accounts/teams";
import type { maintenance } from "./locales/zh-CN/alerts/maintenance";
import type { docs } from "./locales/zh-CN/docs";
import type { imports } from "./locales/zh-CN/imports";
import type { incidentEditor } from "./locales/zh-CN/incidents/editor";
import type { incidents } from "./locales/zh-CN/incidents/published";
import type { pages } from "./locales/zh-CN/pages/pages";
import type { subscribers } from "./locales/zh-CN/pages/subscribers";
import type { enrollment } from "./locales/zh-CN/servers/enrollment";
import type { statusPage } from "./locales/zh-CN/status-page";

declare module "i18next" {
  interface CustomTypeOptions {
    resources: {
      translation: typeof zhCN & {
        changes: typeof changes;
        checklist: typeof checklist;
        docs: typeof docs;
        enrollment: typeof enrollment;
        factors: typeof factors;
        imports: typeof imports;
        incidents: typeof incidents & { editor: typeof incidentEditor };
        keyScopes: typeof keyScopes;
        maintenance: typeof maintenance;
        pages: typeof pages;
        statusPage: typeof statusPage;
        subscribers: typeof subscribers;
        teams: typeof teams;
      };
    };
    enableSelector: false;
  }
}

type Load = Record<Language, () => Promise<object>>;

/** Loads the texts that are needed before signing in: a first visit does without the others. */
const loadFirst = {
  "zh-CN": async () => (await import("./locales/zh-CN/first")).first,
  "en-US": async () => (await import("./locales/en-US/first")).first,
} satisfies Load;

/** Loads the others. */
const loadScreens = {
  "zh-CN": async () => (await import("./locales/screens/zh-CN")).screens,
  "en-US": async () => (await import("./locales/screens/en-US")).screens,
} satisfies Load;

let needsAll = true;
/** The languages whose texts are all loaded. */
const whole = new Set<Language>();

/** Texts that single screens have brought, by the names that they begin with. */
const added: Record<string, Record<Language, object>> = {};
const addedIn = (language: Language) =>
  Object.fromEntries(Object.entries(added).map(([name, texts]) => [name, texts[language]]));

const loadTexts = async (language: Language): Promise<object> => {
  if (!needsAll) return { ...(await loadFirst[language]()), ...addedIn(language) };
  const [first, screens] = await Promise.all([loadFirst[language](), loadScreens[language]()]);
  whole.add(language);
  return { ...withFirst(first, screens), ...addedIn(language) };
};

/** Pending until the texts of the start are loaded: before, there is no language. */
let started: Promise<unknown> = Promise.resolve();

/** Loads the texts that were left out at the start, in this language and in every later one. */
export const loadAllTexts = async (): Promise<void> => {
  needsAll = true;
  await started;
  const language = currentLanguage();
  if (!whole.has(language)) i18next.addResourceBundle(language, "translation", await loadTexts(language), true, true);
};

/** Adds texts that one screen brings in all languages, by the names that they begin with. */
export const addTexts = (parts: typeof added): void => {
  Object.assign(added, parts);
  // A language that is not loaded yet gets them then: it would count as loaded.
  for (const language of LANGUAGES)
    if (i18next.hasResourceBundle(language, "translation"))
      i18next.addResourceBundle(language, "translation", addedIn(language), true, true);
};

/** Loads the texts of a language when it is first used. */
const backend: BackendModule = {
  type: "backend",
  init: () => {},
  read: (language, _namespace, done) => {
    loadTexts(language as Language).then(
      (loaded) => done(null, loaded),
      (error: Error) => done(error, null),
    );
  },
};

/**
 * Starts i18next with the texts of the console in the preferred language, and stores each change of the language.
 * `isWhole`: with all texts, not only those that are needed before signing in.
 */
export const startI18n = async ({ isWhole = true } = {}) => {
  needsAll = isWhole;
  const asked = languageInAddress();
  i18next.on("languageChanged", (language) => {
    announceLanguage(language as Language, asked);
    // It may have been chosen before signing in.
    if (needsAll) void loadAllTexts();
  });
  started = i18next
    .use(initReactI18next)
    .use(backend)
    .init({
      lng: asked ?? preferredLanguage(bootstrap.defaultLanguage),
      // Every language has every key, so that no second one is loaded.
      fallbackLng: false,
      load: "currentOnly",
      interpolation: { escapeValue: false },
      react: { useSuspense: false, bindI18nStore: "added" },
    });
  await started;
};

export const currentLanguage = () => i18next.language as Language;
