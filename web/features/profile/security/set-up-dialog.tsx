import { useTranslation } from "react-i18next";
import { text } from "../../../lib/form";
import { Copyable } from "../../../ui/controls/copy-button";
import { FormDialog } from "../../../ui/feedback/form-dialog";
import { useSubmit } from "../../../ui/hooks/use-submit";
import { CodeInput } from "../../../ui/proof/code-input";
import { addTotp, type Offer } from "./api";
import { QrCode } from "./qr-code";

type Props = { offer: Offer; onAdded: (recoveryCodes: readonly string[]) => void; onClose: () => void };

/** Shows the secret of an authenticator app, and asks for the first code of the app. */
export function SetUpDialog({ offer: { secret, uri, setup }, onAdded, onClose }: Props) {
  const { t } = useTranslation();
  const form = useSubmit(t("factors.totp.failed"), { plain: true });
  const onValid = (fields: FormData) =>
    form.submit(
      () => addTotp(setup, text(fields, "code")),
      ({ recovery_codes }) => onAdded(recovery_codes),
    );
  return (
    <FormDialog
      of={form}
      title={t("factors.totp.setUpTitle")}
      text={t("factors.totp.scan")}
      submit={t("factors.totp.submit")}
      focus="input"
      isDirty={() => false}
      onValid={onValid}
      onClose={onClose}
    >
      <QrCode text={uri} label={t("factors.totp.qr")} />
      <div className="field">
        <span className="choice-label">{t("factors.totp.secret")}</span>
        <Copyable what={t("factors.totp.secret")} text={secret.replace(/.{4}(?=.)/g, "$& ")} />
      </div>
      <CodeInput name="code" error={form.wrong("code")} />
    </FormDialog>
  );
}
