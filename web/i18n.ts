import i18next from "i18next";
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

/** Loads the words of each language. */
export type WordLoaders = Record<Language, () => Promise<object>>;

const consoleWords: WordLoaders = {
  "zh-CN": async () => (await import("./locales/zh-CN")).zhCN,
  "en-US": async () => (await import("./locales/en-US")).enUS,
};
let words = consoleWords;

const toLanguage = (tag: string): Language | undefined =>
  languages.find((language) => language.slice(0, 2) === tag.slice(0, 2).toLowerCase());

/** Local storage, then the browser, then Chinese. */
export const detectLanguage = (kept: string | null, preferred: readonly string[]): Language =>
  [kept ?? "", ...preferred].map(toLanguage).find((language) => language !== undefined) ?? fallback;

const announce = (language: Language) => {
  store(storageKey, language);
  document.documentElement.lang = language;
};

/** Starts in the stored language, the browser's, or Chinese. A page of its own gives loaders for the words that it uses. */
export const startI18n = async (loaders = consoleWords) => {
  words = loaders;
  const language = detectLanguage(stored(storageKey), navigator.languages);
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: fallback,
    resources: { [language]: { translation: await words[language]() } },
    partialBundledLanguages: true,
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  announce(language);
};

export const currentLanguage = () => i18next.language as Language;

export const changeLanguage = async (language: Language) => {
  if (!i18next.hasResourceBundle(language, "translation"))
    i18next.addResourceBundle(language, "translation", await words[language]());
  await i18next.changeLanguage(language);
  announce(language);
};
