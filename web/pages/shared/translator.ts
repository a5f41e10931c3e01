import type { i18n, TOptions } from "i18next";
import type { Language } from "../../../src/shared/language";

export type Words = string | { readonly [key: string]: Words };

const find = (all: Words | undefined, key: string): string | undefined => {
  let value = all;
  for (const part of key.split(".")) value = typeof value === "object" ? value[part] : undefined;
  return typeof value === "string" ? value : undefined;
};

const plurals: Record<Language, Intl.PluralRules> = {
  "zh-CN": new Intl.PluralRules("zh-CN"),
  "en-US": new Intl.PluralRules("en-US"),
};

/** The text of a key with its values in place; with a `count`, in the plural form that the language has for it. */
const translate = (words: Words | undefined, language: Language, key: string, values: TOptions = {}): string => {
  const form = values.count === undefined ? "" : plurals[language].select(values.count);
  const text = (form && find(words, `${key}_${form}`)) || find(words, key) || key;
  return text.replace(/{{(\w+)}}/g, (_, name: string) => String(values[name] ?? ""));
};

type Options = {
  /** The words of the initial languages, at least of the first one. */
  words: Partial<Record<Language, Words>>;
  /** Loads the words of another language when it is first chosen. */
  load?: (language: Language) => Promise<Words>;
};

/**
 * What react-i18next uses of i18next, over the words of one page alone. It is synchronous in a language whose words are
 * there, so that the hub and the browser render the same text at once. i18next itself would add 14 KB to the first visit.
 * A test holds both to the same results.
 */
export const createTranslator = (start: Language, { words: given, load }: Options): i18n => {
  const words = { ...given };
  const listeners = new Set<() => void>();
  const on = (_event: string, listener: () => void) => void listeners.add(listener);
  const off = (_event: string, listener: () => void) => void listeners.delete(listener);
  let chosen = start;
  const translator = {
    language: start,
    languages: [start],
    isInitialized: true,
    options: { react: { useSuspense: false } },
    hasLoadedNamespace: () => true,
    getFixedT: (language: Language) => (key: string, values?: TOptions) =>
      translate(words[language], language, key, values),
    getResource: (language: Language, _namespace: string, key: string) => find(words[language], key),
    t: (key: string, values?: TOptions) => translate(words[translator.language], translator.language, key, values),
    changeLanguage: async (language: Language) => {
      chosen = language;
      if (load && !words[language]) words[language] = await load(language);
      // Another language may have been chosen while this one was loading.
      if (chosen !== language) return translator.t;
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
