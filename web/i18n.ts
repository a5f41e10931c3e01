import i18next, { type BackendModule } from "i18next";
import { initReactI18next } from "react-i18next";
import { store, stored } from "./lib/storage";
import type { zhCN } from "./locales/zh-CN";
import type { docs } from "./locales/zh-CN/docs";

export const languages = ["zh-CN", "en-US"] as const;
export type Language = (typeof languages)[number];
const fallback: Language = "zh-CN";
const storageKey = "i18nextLng";

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: typeof zhCN & { docs: typeof docs } };
    enableSelector: false;
  }
}

/** Loads the texts of each language. */
export type WordLoaders = Record<Language, () => Promise<object>>;

const consoleTexts: WordLoaders = {
  "zh-CN": async () => (await import("./locales/zh-CN")).zhCN,
  "en-US": async () => (await import("./locales/en-US")).enUS,
};
let loadTexts = consoleTexts;

const toLanguage = (tag: string): Language | undefined =>
  languages.find((language) => language.slice(0, 2) === tag.slice(0, 2).toLowerCase());

/** The stored language, otherwise the first supported one of the browser, otherwise Chinese. */
export const detectLanguage = (storedTag: string | null, preferred: readonly string[]): Language =>
  [storedTag ?? "", ...preferred].map(toLanguage).find((language) => language !== undefined) ?? fallback;

const announce = (language: string) => {
  store(storageKey, language);
  document.documentElement.lang = language;
};

/** Loads the texts of a language when it is first used. */
const backend: BackendModule = {
  type: "backend",
  init: () => {},
  read: (language, _namespace, done) => {
    loadTexts[language as Language]().then(
      (loaded) => done(null, loaded),
      (error: Error) => done(error, null),
    );
  },
};

/**
 * Starts i18next in the detected language, and stores each change of the language. A stand-alone page passes loaders for
 * the texts that it uses.
 */
export const startI18n = async (loaders = consoleTexts) => {
  loadTexts = loaders;
  i18next.on("languageChanged", announce);
  await i18next
    .use(initReactI18next)
    .use(backend)
    .init({
      lng: detectLanguage(stored(storageKey), navigator.languages),
      // Every language has every key, so that no second one is loaded.
      fallbackLng: false,
      load: "currentOnly",
      interpolation: { escapeValue: false },
      react: { useSuspense: false },
    });
};

export const currentLanguage = () => i18next.language as Language;
