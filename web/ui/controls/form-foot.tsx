import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "./icon";

type Props = {
  /** The error of the last attempt. */
  error?: string;
  busy: boolean;
  submit?: string;
  disabled?: boolean;
  /** Beside the button, such as a link to cancel. */
  children?: ReactNode;
};

/** The end of a form: the error of the last attempt and the submit button. */
export function FormFoot({ error, busy, submit, disabled = false, children }: Props) {
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
