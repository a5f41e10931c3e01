import { useTranslation } from "react-i18next";
import { type CheckErrorCode, checkErrorText, type ErrorDetail } from "../../../src/shared/check-error";
import type { Language } from "../../../src/shared/language";

type Failed = { error_code: CheckErrorCode | null; error_detail: ErrorDetail | null };

/** Renders why a check failed, as a sentence in the language of the interface; empty for a check that succeeded. */
export const useCheckError = () => {
  const { i18n } = useTranslation();
  return ({ error_code: code, error_detail: detail }: Failed): string => {
    const text = code === null ? "" : checkErrorText({ code, detail }, i18n.language as Language);
    return text.charAt(0).toUpperCase() + text.slice(1);
  };
};
