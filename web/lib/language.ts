import { findLanguage, type Language } from "../../src/shared/language";
import { store, stored } from "./storage";

const KEY = "i18nextLng";

/** The language that was chosen before, otherwise the first of `preferred` that is supported, otherwise `fallback`. */
export const preferredLanguage = (fallback: Language, preferred: readonly string[] = navigator.languages): Language =>
  findLanguage([stored(KEY) ?? "", ...preferred]) ?? fallback;

/** Stores the language of the page, and names it in the document. */
export const announceLanguage = (language: Language): void => {
  store(KEY, language);
  document.documentElement.lang = language;
};
