import { findLanguage, type Language } from "../../src/shared/language";
import { store, stored } from "./storage";

const KEY = "i18nextLng";

/** The language that was chosen before, otherwise the first of `preferred` that is supported, otherwise `fallback`. */
export const preferredLanguage = (fallback: Language, preferred: readonly string[] = navigator.languages): Language =>
  findLanguage([stored(KEY) ?? "", ...preferred]) ?? fallback;

/** The language that `lang` in the address asks for. It counts until the page is left, and is not stored. */
export const languageInAddress = (): Language | undefined =>
  findLanguage(new URLSearchParams(location.search).getAll("lang"));

/** Stores the language of the page, unless the address asks for it, and names it in the document. */
export const announceLanguage = (language: Language, inAddress?: Language): void => {
  if (language !== inAddress) store(KEY, language);
  document.documentElement.lang = language;
};
