import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { CallError } from "../../api";

/** Renders what failed and why as one line in the language of the interface: "Failed to delete monitor: …". */
export const useFailureText = () => {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return useCallback(
    (what: string, error: unknown, fallback?: string) =>
      t("common.labelled", { label: what, value: errorText(error, fallback) }),
    [t, errorText],
  );
};

/** Renders the error of a failed call: the translation of its code, otherwise the server's message, otherwise the fallback text. */
export const useErrorText = () => {
  const { t, i18n } = useTranslation();
  return useCallback(
    (error: unknown, fallback?: string) => {
      if (!(error instanceof CallError)) return fallback ?? t("errors.unknown");
      if (error.quota)
        return t("errors.code.quota_reached", {
          limit: error.quota.limit,
          what: t(`common.quota.name.${error.quota.name}`),
        });
      const key = `errors.code.${error.code}`;
      if (i18n.exists(key)) return i18n.t(key as "errors.code.internal");
      return error.message || fallback || t("errors.unknown");
    },
    [t, i18n],
  );
};
