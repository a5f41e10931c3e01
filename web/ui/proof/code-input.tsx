import { useTranslation } from "react-i18next";
import { Field } from "../controls/field";

/** The field for a code of an authenticator app: phones show digits, and offer a code that they know. */
export function CodeInput({ name = "totp", error }: { name?: string; error?: string }) {
  const { t } = useTranslation();
  return (
    <Field label={t("factors.code")} error={error}>
      <input
        className="code"
        name={name}
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        spellCheck={false}
      />
    </Field>
  );
}
