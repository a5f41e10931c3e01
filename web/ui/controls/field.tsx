import { cloneElement, type ReactElement, type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "./icon";

type FormFootProps = {
  /** The error of the last attempt. */
  error?: string;
  busy: boolean;
  submit?: string;
  disabled?: boolean;
  /** Beside the button, such as a link to cancel. */
  children?: ReactNode;
};

/** The end of a form: the error of the last attempt and the submit button. */
export function FormFoot({ error, busy, submit, disabled = false, children }: FormFootProps) {
  const { t } = useTranslation();
  return (
    <>
      {error && (
        <p className="message bad" role="alert">
          <Icon name="alert" />
          {error}
        </p>
      )}
      <div className="actions">
        <button type="submit" disabled={busy || disabled} aria-busy={busy}>
          {busy ? t("common.action.saving") : (submit ?? t("common.action.save"))}
        </button>
        {children}
      </div>
    </>
  );
}

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
