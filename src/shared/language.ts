import { LANGUAGES, type Language } from "./alerts";

/** The first requested language that is supported, or Chinese. */
export const chooseLanguage = (wanted: readonly string[]): Language => {
  const known = wanted.flatMap((tag) =>
    LANGUAGES.filter((language) => language.slice(0, 2) === tag.trim().slice(0, 2).toLowerCase()),
  );
  return known[0] ?? "zh-CN";
};
