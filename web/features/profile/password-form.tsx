import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { NewPasswordField } from "../../ui/controls/account-fields";
import { Field } from "../../ui/controls/field";
import { FormFoot } from "../../ui/controls/form-foot";
import { toast } from "../../ui/feedback/toast";
import { useSubmit } from "../../ui/hooks/use-submit";
import { changePassword } from "./calls";
import { toPasswordBody } from "./password-body";

/** Changes the user's own password. `username` is for password managers. */
export function PasswordForm({ username }: { username: string }) {
  const { t } = useTranslation();
  const form = useSubmit(t("profile.password.failed"));

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = event.currentTarget;
    const body = toPasswordBody(new FormData(fields));
    if (body === "mismatch") return form.refuse(t("account.register.mismatch"));
    form.submit(async () => {
      await changePassword(body);
      fields.reset();
      toast(t("profile.password.done"));
    });
  };

  return (
    <form className="card" onSubmit={onSubmit} onInput={form.clear}>
      <h2>{t("profile.password.title")}</h2>
      <p className="soft">{t("profile.password.text")}</p>
      <input hidden readOnly name="username" value={username} autoComplete="username" />
      <Field label={t("profile.password.current")} error={form.wrong("current_password")}>
        <input name="currentPassword" type="password" required autoComplete="current-password" />
      </Field>
      <div className="pair">
        <NewPasswordField
          label={t("profile.password.new")}
          name="newPassword"
          hint={t("account.passwordHint")}
          error={form.wrong("new_password")}
        />
        <Field label={t("profile.password.confirm")}>
          <input name="confirm" type="password" required autoComplete="new-password" />
        </Field>
      </div>
      <FormFoot error={form.error} busy={form.busy} submit={t("profile.password.submit")} />
    </form>
  );
}
