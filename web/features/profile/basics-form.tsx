import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { text } from "../../lib/form";
import type { User } from "../../session";
import { EmailField, UsernameField } from "../../ui/account-fields";
import { FormFoot } from "../../ui/form-foot";
import { RoleTag } from "../../ui/role-tag";
import { toast } from "../../ui/toast";
import { useSubmit } from "../../ui/use-submit";
import { updateProfile } from "./calls";

/** Name and address of whoever is signed in. */
export function BasicsForm({ user, onSaved }: { user: User; onSaved: () => void }) {
  const { t } = useTranslation();
  const form = useSubmit(t("profile.basics.failed"));

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    form.submit(async () => {
      await updateProfile({ username: text(fields, "username"), email: text(fields, "email") });
      toast(t("profile.basics.saved"));
      onSaved();
    });
  };

  return (
    <form className="card" onSubmit={onSubmit}>
      <div className="section-head">
        <h2>{t("profile.basics.title")}</h2>
        <RoleTag role={user.role} />
      </div>
      <UsernameField value={user.username} error={form.wrong("username")} />
      <EmailField value={user.email} error={form.wrong("email")} />
      <FormFoot error={form.error} busy={form.busy} />
    </form>
  );
}
