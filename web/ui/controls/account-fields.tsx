import type { TFunction } from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../src/shared/limits";
import { raw } from "../../lib/form";
import { Field, PasswordInput } from "./field";

/** A check of a form: the second password, if it is asked for, is the same as the field `name`. */
export const passwordsDiffer = (t: TFunction, name: string) => (fields: FormData) => ({
  confirm:
    !fields.has("confirm") || raw(fields, name) === raw(fields, "confirm") ? undefined : t("account.register.mismatch"),
});

type Props = { value?: string | null; error?: string; required?: boolean; autoComplete?: string };

/** The input for a username. */
export function UsernameField({ value, error, autoComplete = "username" }: Props) {
  const { t } = useTranslation();
  return (
    <Field label={t("account.username")} error={error}>
      <input
        name="username"
        required
        maxLength={LIMITS.username}
        defaultValue={value ?? ""}
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
      />
    </Field>
  );
}

export function EmailField({ value, error, required = false, autoComplete = "email" }: Props) {
  const { t } = useTranslation();
  return (
    <Field label={t("account.email")} optional={!required} error={error}>
      <input
        name="email"
        type="email"
        required={required}
        maxLength={LIMITS.email}
        defaultValue={value ?? ""}
        autoComplete={autoComplete}
      />
    </Field>
  );
}

type PasswordProps = { label: string; name: string; hint?: string; error?: string; onShow?: (shown: boolean) => void };

/** The input for a new password. */
export function NewPasswordField({ label, name, hint, error, onShow }: PasswordProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      <PasswordInput
        name={name}
        required
        minLength={LIMITS.passwordMin}
        maxLength={LIMITS.passwordMax}
        autoComplete="new-password"
        onShow={onShow}
      />
    </Field>
  );
}

type PasswordsProps = Omit<PasswordProps, "hint" | "onShow"> & { confirm: { label: string; error?: string } };

/** A new password and its confirmation, which is not asked for while the password is shown. */
export function NewPasswordFields({ confirm, ...password }: PasswordsProps) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  return (
    <>
      <NewPasswordField {...password} hint={t("account.passwordHint")} onShow={setShown} />
      {!isShown && (
        <Field {...confirm}>
          <PasswordInput name="confirm" required autoComplete="new-password" />
        </Field>
      )}
    </>
  );
}
