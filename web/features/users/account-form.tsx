import { useState } from "react";
import { useTranslation } from "react-i18next";
import { session, signIn } from "../../session";
import { EmailField, UsernameField } from "../../ui/controls/account-fields";
import { Field } from "../../ui/controls/field";
import { Form, FormFoot } from "../../ui/controls/form";
import { ConfirmDialog } from "../../ui/feedback/confirm-dialog";
import { toast } from "../../ui/feedback/toast";
import { useSubmit } from "../../ui/hooks/use-submit";
import { type AccountBody, type Role, roles, toAccountBody, type User, updateUser } from "./api";

type RoleFieldProps = { value: Role; error?: string; hint?: string; fixed?: boolean };

export function RoleField({ value, error, hint, fixed = false }: RoleFieldProps) {
  const { t } = useTranslation();
  return (
    <Field label={t("users.form.role")} hint={hint ?? t("users.roleHint")} error={error}>
      <select name="role" defaultValue={value} disabled={fixed}>
        {roles.map((role) => (
          <option key={role} value={role}>
            {t(`users.role.${role}`)}
          </option>
        ))}
      </select>
    </Field>
  );
}

type Props = { user: User; isOwn: boolean; isLast: boolean; onSaved: () => void };

/** Username, email and role of a user. Administrators confirm giving up their own role. */
export function AccountForm({ user, isOwn, isLast, onSaved }: Props) {
  const { t } = useTranslation();
  const form = useSubmit(t("users.form.saveFailed"));
  const [givingUp, setGivingUp] = useState<AccountBody>();

  const save = async (body: AccountBody) => {
    const { user: saved, token } = await updateUser(user.id, body);
    toast(t(saved.role === user.role || !isOwn ? "users.form.saved" : "users.form.gaveUp"));
    // A change of the viewer's own role replaces the session; the answer has the new token.
    const next = token ?? session().token;
    if (isOwn && next) signIn(next, saved);
    onSaved();
  };

  const onValid = (fields: FormData) => {
    const body = toAccountBody(fields, user.role);
    if (isOwn && body.role !== "admin") return setGivingUp(body);
    form.submit(() => save(body));
  };

  const hint = isLast ? t("users.edit.lastAdmin") : isOwn ? t("users.edit.ownRole") : undefined;
  return (
    <Form of={form} className="card" onValid={onValid} focus="username">
      <h2>{t("users.form.account")}</h2>
      <UsernameField value={user.username} error={form.wrong("username")} autoComplete="off" />
      <EmailField value={user.email} error={form.wrong("email")} autoComplete="off" />
      <RoleField value={user.role} error={form.wrong("role")} hint={hint} fixed={isLast} />
      <FormFoot of={form} />
      {givingUp && (
        <ConfirmDialog
          title={t("users.edit.giveUpTitle")}
          text={t("users.edit.giveUpText")}
          confirm={t("users.edit.giveUp")}
          busy={t("common.action.saving")}
          onConfirm={async () => form.submit(() => save(givingUp))}
          onClose={() => setGivingUp(undefined)}
        />
      )}
    </Form>
  );
}
