import { LANGUAGES, type Language } from "./alerts";

/** The first language that somebody wants and the product speaks; Chinese where there is none. */
export const chooseLanguage = (wanted: readonly string[]): Language => {
  const known = wanted.flatMap((tag) =>
    LANGUAGES.filter((language) => language.slice(0, 2) === tag.trim().slice(0, 2).toLowerCase()),
  );
  return known[0] ?? "zh-CN";
};
