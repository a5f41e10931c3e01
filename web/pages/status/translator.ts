import type { i18n, TOptions } from "i18next";
import type { Language } from "../../i18n";
import { common as commonEn } from "../../locales/en-US/common";
import { statusPage as statusPageEn } from "../../locales/en-US/status-page";
import { common as commonZh } from "../../locales/zh-CN/common";
import { statusPage as statusPageZh } from "../../locales/zh-CN/status-page";

const words = {
  "zh-CN": { common: commonZh, statusPage: statusPageZh },
  "en-US": { common: commonEn, statusPage: statusPageEn },
};

type Words = string | { readonly [key: string]: Words };

const find = (all: Words, key: string): string | undefined => {
  let found: Words | undefined = all;
  for (const part of key.split(".")) found = typeof found === "object" ? found[part] : undefined;
  return typeof found === "string" ? found : undefined;
};

const plurals: Record<Language, Intl.PluralRules> = {
  "zh-CN": new Intl.PluralRules("zh-CN"),
  "en-US": new Intl.PluralRules("en-US"),
};

/** The text of a key with its values in place; with a `count`, in the plural form that the language has for it. */
const translate = (language: Language, key: string, values: TOptions = {}): string => {
  const all = words[language];
  const form = values.count === undefined ? "" : plurals[language].select(values.count);
  const text = (form && find(all, `${key}_${form}`)) || find(all, key) || key;
  return text.replace(/{{(\w+)}}/g, (_, name: string) => String(values[name] ?? ""));
};

/**
 * What react-i18next uses of i18next, over the words of this page alone and synchronous, so that the hub and the browser
 * render the same text at once. i18next itself would add 14 KB to the first visit. A test holds both to the same results.
 */
export const createTranslator = (start: Language): i18n => {
  const listeners = new Set<() => void>();
  const on = (_event: string, listener: () => void) => void listeners.add(listener);
  const off = (_event: string, listener: () => void) => void listeners.delete(listener);
  const translator = {
    language: start,
    languages: [start],
    isInitialized: true,
    options: { react: { useSuspense: false } },
    hasLoadedNamespace: () => true,
    getFixedT: (language: Language) => (key: string, values?: TOptions) => translate(language, key, values),
    t: (key: string, values?: TOptions) => translate(translator.language, key, values),
    changeLanguage: async (language: Language) => {
      translator.language = language;
      translator.languages = [language];
      for (const listener of listeners) listener();
      return translator.t;
    },
    on,
    off,
    store: { on, off },
  };
  return translator as unknown as i18n;
};
