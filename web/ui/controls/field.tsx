import { type ComponentProps, cloneElement, type ReactElement, type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "./icon";

type Control = ReactElement<{
  id?: string;
  name?: string;
  required?: boolean;
  "aria-describedby"?: string;
  "aria-invalid"?: boolean;
}>;

type Props = {
  label: string;
  hint?: string;
  warning?: string;
  error?: string;
  optional?: boolean;
  /** Beside the control: the unit of its number. */
  unit?: ReactNode;
  children: Control;
};

/** A labelled control with a hint, a warning about the entered value, and the error when it is wrong. */
export function Field({ label, hint, warning, error, optional = false, unit, children }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const about = [hint && `${id}-hint`, warning && `${id}-warning`, error && `${id}-error`].filter(Boolean).join(" ");
  const control = cloneElement(children, {
    id,
    "aria-describedby": about || undefined,
    "aria-invalid": error ? true : undefined,
  });
  return (
    <div className="field" data-field={unit ? children.props.name : undefined}>
      <label htmlFor={id}>
        {label}
        {children.props.required && (
          <span className="required" aria-hidden="true">
            {" *"}
          </span>
        )}
        {optional && <span className="optional small"> {t("common.optional")}</span>}
      </label>
      {unit ? (
        <div className="duration">
          {control}
          {unit}
        </div>
      ) : (
        control
      )}
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

type PasswordProps = Omit<ComponentProps<"input">, "type"> & { onShow?: (shown: boolean) => void };

/** An input for a password, with a button that shows what was typed. */
export function PasswordInput({ onShow, ...props }: PasswordProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const label = t(shown ? "account.hidePassword" : "account.showPassword");
  return (
    <div className="password">
      <input {...props} type={shown ? "text" : "password"} autoCapitalize="none" spellCheck={false} />
      <button
        type="button"
        className="quiet icon-only"
        aria-label={label}
        aria-pressed={shown}
        title={label}
        onClick={() => {
          setShown(!shown);
          onShow?.(!shown);
        }}
      >
        <Icon name={shown ? "eyeOff" : "eye"} />
      </button>
    </div>
  );
}
