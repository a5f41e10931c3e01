import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { raw, text } from "../../lib/form";
import type { User } from "../../session";
import { EmailField, OwnPasswordField, UsernameField } from "../../ui/controls/account-fields";
import { FormFoot } from "../../ui/controls/form-foot";
import { RoleTag } from "../../ui/feedback/role-tag";
import { toast } from "../../ui/feedback/toast";
import { useSubmit } from "../../ui/hooks/use-submit";
import { updateProfile } from "./calls";

/** Username and email of the signed-in user. A change requires the password. */
export function BasicsForm({ user, onSaved }: { user: User; onSaved: () => void }) {
  const { t } = useTranslation();
  const form = useSubmit(t("profile.basics.failed"));
  const [changed, setChanged] = useState(false);

  const onInput = (event: FormEvent<HTMLFormElement>) => {
    const fields = new FormData(event.currentTarget);
    setChanged(text(fields, "username") !== user.username || text(fields, "email") !== (user.email ?? ""));
  };

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    form.submit(async () => {
      const names = { username: text(fields, "username"), email: text(fields, "email") };
      await updateProfile({ ...names, ...(changed && { currentPassword: raw(fields, "currentPassword") }) });
      setChanged(false);
      toast(t("profile.basics.saved"));
      onSaved();
    });
  };

  return (
    <form className="card" onSubmit={onSubmit} onInput={onInput}>
      <div className="section-head">
        <h2>{t("profile.basics.title")}</h2>
        <RoleTag role={user.role} />
      </div>
      <UsernameField value={user.username} error={form.wrong("username")} />
      <EmailField value={user.email} error={form.wrong("email")} />
      {changed && <OwnPasswordField error={form.wrong("current_password")} />}
      <FormFoot error={form.error} busy={form.busy} />
    </form>
  );
}
