import { useTranslation } from "react-i18next";
import { reasonOf } from "../../../src/shared/check-error";

/** A check's error as a sentence in the reader's language. */
export const useReason = () => {
  const { t } = useTranslation();
  return (error: string | null) => {
    const reason = reasonOf(error ?? "");
    return reason ? t(`monitors.error.${reason}`) : (error ?? "");
  };
};
