import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { base } from "../../lib/navigation/base-path";
import { FormDialog } from "../feedback/form-dialog";
import { beginAtIssuer } from "../hooks/single-sign-on";
import { useErrorText } from "../hooks/use-error-text";

type Props = { name: string; onClose: () => void };

/** Asks a user without a password to sign in at the issuer again, which leads back to this page. */
export function SignInAgainDialog({ name, onClose }: Props) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const element = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const begin = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await beginAtIssuer("sign-in", location.pathname.slice(base.length) + location.search);
    } catch (failure) {
      setError(errorText(failure, t("factors.proof.failed")));
      setBusy(false);
    }
  };
  return (
    <FormDialog
      of={{ element, busy, error }}
      title={t("factors.proof.title")}
      submit={t("elsewhere.signIn", { name })}
      onSubmit={() => void begin()}
      isDirty={() => false}
      onClose={onClose}
    >
      <p className="soft">{t("factors.proof.again", { name })}</p>
    </FormDialog>
  );
}
