import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "./icon";

type Props = {
  /** What went wrong, if anything did. */
  error?: string;
  busy: boolean;
  submit?: string;
  disabled?: boolean;
  /** What stands beside the button: a way back. */
  children?: ReactNode;
};

/** The end of a form: why it was not taken, and the button. */
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
