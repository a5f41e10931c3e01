import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { CallError } from "../../api";

/** The name of a field out of its path: the first part, or the second below `config`. */
const snake = (path: string) =>
  (
    path
      .replace(/^config[./]/, "")
      .split(/[./]/)
      .find(Boolean) ?? ""
  ).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The error text of a field: the translation of its code or of the field's name, otherwise the server's English message. */
export const useFieldErrorText = () => {
  const { i18n } = useTranslation();
  return (field: string, message: string, code = "") => {
    const coded = `errors.code.${code}`;
    if (i18n.exists(coded)) return i18n.t(coded as "errors.code.validation");
    const key = `errors.field.${field}`;
    return i18n.language === "en-US" || !i18n.exists(key)
      ? message.replace(/^[\w.]+: /, "")
      : i18n.t(key as "errors.field.url");
  };
};

/** The server's errors for the fields of a form. */
export const useFieldErrors = () => {
  const fieldErrorText = useFieldErrorText();
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map());
  const keep = (error: unknown) =>
    setErrors(
      new Map(
        error instanceof CallError
          ? error.fields.map(({ path, message, code }) => [snake(path), fieldErrorText(snake(path), message, code)])
          : [],
      ),
    );

  return { of: (name: string) => errors.get(name), keep, any: errors.size > 0 };
};

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
