import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { CallError } from "../../api";

/**
 * The name of a field from its path: the first part, or the second below `schedule` and below `config`, where a `name` differs
 * from the item's name: `config_name`. Fields of a plan are in two groups: `plan_quota`.
 */
const snake = (path: string) =>
  (
    path
      .replace(/^config[./]name$/, "config_name")
      .replace(/^config[./]/, "")
      .replace(/^schedule[./]/, "")
      .replace(/^plan[./]\w+[./]/, "plan_")
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

/** Fields whose server message, in English, is more precise than a text for the whole field. */
const SPECIFIC = ["headers", "expect", "assertions"];

/** The error text of a field in a form: as `useFieldErrorText`, but where there is one, the text for the field. */
const useFormErrorText = () => {
  const { i18n } = useTranslation();
  const fieldErrorText = useFieldErrorText();
  return (field: string, message: string, code?: string) => {
    const key = `errors.field.${field}`;
    const isCoded = code !== undefined && i18n.exists(`errors.code.${code}`);
    if (!isCoded && !SPECIFIC.includes(field) && i18n.exists(key)) return i18n.t(key as "errors.field.url");
    const text = fieldErrorText(field, message, code);
    return text.charAt(0).toUpperCase() + text.slice(1);
  };
};

/** The field of an error without a list of fields; of several names, the form's. */
const FIELDS_OF_CODE: Readonly<Record<string, readonly string[]>> = {
  username_taken: ["username"],
  username_not_allowed: ["username"],
  email_taken: ["email"],
  weak_password: ["password", "new_password"],
  wrong_password: ["current_password"],
  setup_code_required: ["setup_code"],
  setup_code_wrong: ["setup_code"],
};

/** The name of a control's field in the API: its own, or its group's. */
export const fieldName = (control: Element): string =>
  snake(control.closest<HTMLElement>("[data-field]")?.dataset.field ?? control.getAttribute("name") ?? "");

const namesIn = (form: HTMLFormElement) => new Set([...form.elements].map(fieldName));

/** The errors of the fields of a form, by their names in the API. */
export const useFieldErrors = () => {
  const formErrorText = useFormErrorText();
  const errorText = useErrorText();
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});

  /** The fields that a failed call refuses. */
  const refusedBy = (error: unknown, names?: ReadonlySet<string>): Record<string, string> => {
    if (!(error instanceof CallError)) return {};
    const own = FIELDS_OF_CODE[error.code]?.filter((name) => names?.has(name)).map((name) => [name, errorText(error)]);
    const sent = error.fields.map(({ path, message, code }) => [
      snake(path),
      formErrorText(snake(path), message, code),
    ]);
    return Object.fromEntries([...(own ?? []), ...sent]);
  };

  return {
    of: (name: string): string | undefined => errors[name],
    set: setErrors,
    /** Sets the error of one field, or removes it. */
    mark: (name: string, text: string | undefined) =>
      setErrors((before) => {
        if (before[name] === text) return before;
        const { [name]: _, ...others } = before;
        return text === undefined ? others : { ...others, [name]: text };
      }),
    /** Shows the refusals of a failed call. Returns whether every error belongs to a field of the form. */
    keep: (error: unknown, form?: HTMLFormElement): boolean => {
      const names = form && namesIn(form);
      const refused = refusedBy(error, names);
      setErrors(refused);
      const fieldNames = Object.keys(refused);
      return fieldNames.length > 0 && names !== undefined && fieldNames.every((name) => names.has(name));
    },
  };
};

/** Renders what the page itself finds wrong with a field. */
export const useProblemText = () => {
  const { t, i18n } = useTranslation();
  return (field: string, problem: "missing" | "invalid"): string => {
    const key = `errors.${problem === "missing" ? "missing" : "field"}.${field}`;
    return i18n.exists(key) ? i18n.t(key as "errors.field.url") : t(`errors.${problem}Value`);
  };
};

/**
 * Renders what failed and why as one line in the language of the interface: "Failed to delete monitor: …". That some
 * fields are wrong is no failure to try again, and stands alone.
 */
export const useFailureText = () => {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return useCallback(
    (what: string, error: unknown, fallback?: string) =>
      error instanceof CallError && error.code === "validation"
        ? errorText(error, fallback)
        : t("common.labelled", { label: what, value: errorText(error, fallback) }),
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
          what: t(`profile.quotas.noun.${error.quota.name}`),
        });
      if (error.cycle) return t("errors.code.dependency_cycle", { path: error.cycle.join(" → ") });
      const key = `errors.code.${error.code}`;
      if (i18n.exists(key)) return i18n.t(key as "errors.code.internal");
      return error.message || fallback || t("errors.unknown");
    },
    [t, i18n],
  );
};
