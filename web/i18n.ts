import i18next, { type BackendModule } from "i18next";
import { initReactI18next } from "react-i18next";
import type { Language } from "../src/shared/language";
import { announceLanguage, preferredLanguage } from "./lib/language";
import type { zhCN } from "./locales/zh-CN";
import type { docs } from "./locales/zh-CN/docs";
import type { statusPage } from "./locales/zh-CN/status-page";

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: typeof zhCN & { docs: typeof docs; statusPage: typeof statusPage } };
    enableSelector: false;
  }
}

/** Loads the texts of each language. */
const loadTexts: Record<Language, () => Promise<object>> = {
  "zh-CN": async () => (await import("./locales/zh-CN")).zhCN,
  "en-US": async () => (await import("./locales/en-US")).enUS,
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

/** Starts i18next with the texts of the console in the preferred language, and stores each change of the language. */
export const startI18n = async () => {
  i18next.on("languageChanged", (language) => announceLanguage(language as Language));
  await i18next
    .use(initReactI18next)
    .use(backend)
    .init({
      lng: preferredLanguage(),
      // Every language has every key, so that no second one is loaded.
      fallbackLng: false,
      load: "currentOnly",
      interpolation: { escapeValue: false },
      react: { useSuspense: false },
    });
};

export const currentLanguage = () => i18next.language as Language;
