import { useTranslation } from "react-i18next";
import { text } from "../../lib/form";
import { EmailField, NewPasswordFields, passwordsDiffer, UsernameField } from "../../ui/controls/account-fields";
import { Field, PasswordInput } from "../../ui/controls/field";
import { Form, FormFoot } from "../../ui/controls/form";
import { RoleTag } from "../../ui/feedback/badge";
import { toast } from "../../ui/feedback/toast";
import { useFormat } from "../../ui/hooks/use-format";
import { useSubmit } from "../../ui/hooks/use-submit";
import { changePassword, type Me, toPasswordBody, updateProfile } from "./api";

/** Changes the user's own password. `username` is for password managers. */
export function PasswordForm({ username }: { username: string }) {
  const { t } = useTranslation();
  const form = useSubmit(t("profile.password.failed"));

  const onValid = (fields: FormData, element: HTMLFormElement) =>
    form.submit(async () => {
      await changePassword(toPasswordBody(fields));
      element.reset();
      toast(t("profile.password.done"));
    });

  return (
    <Form of={form} className="card" onValid={onValid} check={passwordsDiffer(t, "newPassword")}>
      <h2>{t("profile.password.title")}</h2>
      <p className="soft">{t("profile.password.text")}</p>
      <input hidden readOnly name="username" value={username} autoComplete="username" />
      <Field label={t("profile.password.current")} error={form.wrong("current_password")}>
        <PasswordInput name="currentPassword" required autoComplete="current-password" />
      </Field>
      <div className="pair">
        <NewPasswordFields
          label={t("profile.password.new")}
          name="newPassword"
          error={form.wrong("new_password")}
          confirm={{ label: t("profile.password.confirm"), error: form.wrong("confirm") }}
        />
      </div>
      <FormFoot of={form} submit={t("profile.password.submit")} />
    </Form>
  );
}

/** Username and email of the signed-in user. */
export function BasicsForm({ user, onSaved }: { user: Me["user"]; onSaved: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const form = useSubmit(t("profile.basics.failed"));

  const onValid = (fields: FormData) =>
    form.submit(async () => {
      await updateProfile({ username: text(fields, "username"), email: text(fields, "email") });
      toast(t("profile.basics.saved"));
      onSaved();
    });

  return (
    <Form of={form} className="card" onValid={onValid}>
      <div className="section-head">
        <h2>{t("profile.basics.title")}</h2>
        <RoleTag role={user.role} />
      </div>
      <p className="soft">{t("profile.basics.since", { day: format.day(user.created_at) })}</p>
      <UsernameField value={user.username} error={form.wrong("username")} />
      <EmailField value={user.email} error={form.wrong("email")} />
      <FormFoot of={form} />
    </Form>
  );
}
