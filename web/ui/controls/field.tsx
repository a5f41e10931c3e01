import { cloneElement, type ReactElement, useId } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "./icon";

type Control = ReactElement<{
  id?: string;
  required?: boolean;
  "aria-describedby"?: string;
  "aria-invalid"?: boolean;
}>;

type Props = { label: string; hint?: string; warning?: string; error?: string; optional?: boolean; children: Control };

/** A labelled control with a hint, a warning about the entered value, and the error when the server refuses it. */
export function Field({ label, hint, warning, error, optional = false, children }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const about = [hint && `${id}-hint`, warning && `${id}-warning`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {children.props.required && (
          <span className="required" aria-hidden="true">
            {" *"}
          </span>
        )}
        {optional && <span className="optional small"> {t("common.optional")}</span>}
      </label>
      {cloneElement(children, {
        id,
        "aria-describedby": about || undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {hint && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {warning && (
        <span className="hint warn" id={`${id}-warning`}>
          <Icon name="alert" /> {warning}
        </span>
      )}
      {error && (
        <span className="wrong" id={`${id}-error`} role="alert">
          {error}
        </span>
      )}
    </div>
  );
}
