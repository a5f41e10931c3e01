import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { CallError } from "../../api";

/** What failed and why, as one line in the language of the interface: "Failed to delete monitor: …". */
export const useFailureText = () => {
  const { t } = useTranslation();
  const words = useErrorText();
  return useCallback(
    (what: string, error: unknown, otherwise?: string) =>
      t("common.labelled", { label: what, value: words(error, otherwise) }),
    [t, words],
  );
};

/** The words for a failed call: ours for its code, else the server's, else the given ones. */
export const useErrorText = () => {
  const { t, i18n } = useTranslation();
  return useCallback(
    (error: unknown, otherwise?: string) => {
      if (!(error instanceof CallError)) return otherwise ?? t("errors.unknown");
      if (error.quota)
        return t("errors.code.quota_reached", {
          limit: error.quota.limit,
          what: t(`common.quota.name.${error.quota.name}`),
        });
      const key = `errors.code.${error.code}`;
      if (i18n.exists(key)) return i18n.t(key as "errors.code.internal");
      return error.message || otherwise || t("errors.unknown");
    },
    [t, i18n],
  );
};
