import { useTranslation } from "react-i18next";
import type { KindTexts } from "../../../src/shared/outages/words";

/** The words of each kind of outage in the language of the page. */
export const useOutageWords = (): KindTexts => {
  const { i18n } = useTranslation();
  return i18n.getResource(i18n.language, "translation", "outages.kinds");
};
