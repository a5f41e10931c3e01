import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { raw } from "../../lib/form";
import { NewPasswordField } from "../../ui/controls/account-fields";
import { FormFoot } from "../../ui/controls/form-foot";
import { toast } from "../../ui/feedback/toast";
import { useSubmit } from "../../ui/hooks/use-submit";
import { resetPassword, type User } from "./calls";

/** Sets a new password for another user. */
export function PasswordForm({ user }: { user: Pick<User, "id" | "username"> }) {
  const { t } = useTranslation();
  const form = useSubmit(t("users.edit.passwordFailed"));

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = event.currentTarget;
    const password = raw(new FormData(fields), "newPassword");
    form.submit(async () => {
      await resetPassword(user.id, password);
      fields.reset();
      toast(t("users.edit.passwordSet", { name: user.username }));
    });
  };

  return (
    <form className="card" onSubmit={onSubmit}>
      <h2>{t("users.edit.password")}</h2>
      <p className="soft">{t("users.edit.passwordText")}</p>
      <NewPasswordField
        label={t("users.edit.newPassword")}
        name="newPassword"
        hint={t("account.passwordHint")}
        error={form.wrong("new_password")}
      />
      <FormFoot error={form.error} busy={form.busy} submit={t("users.edit.setPassword")} />
    </form>
  );
}
