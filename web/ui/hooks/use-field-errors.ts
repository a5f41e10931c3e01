import { useState } from "react";
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
