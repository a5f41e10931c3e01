import { chooseLanguage, type Language } from "../../src/shared/language";
import { store, stored } from "./storage";

const KEY = "i18nextLng";

/** The language that was chosen before, otherwise the first of `preferred` that is supported, otherwise Chinese. */
export const preferredLanguage = (preferred: readonly string[] = navigator.languages): Language =>
  chooseLanguage([stored(KEY) ?? "", ...preferred]);

/** Stores the language of the page, and names it in the document. */
export const announceLanguage = (language: Language): void => {
  store(KEY, language);
  document.documentElement.lang = language;
};
