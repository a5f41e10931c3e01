import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { paths } from "../../paths";
import { EmailField, NewPasswordField, UsernameField } from "../../ui/controls/account-fields";
import { FormFoot } from "../../ui/controls/field";
import { toast } from "../../ui/feedback/toast";
import { useSubmit } from "../../ui/hooks/use-submit";
import { RoleField } from "./account-form";
import { createUser, toNewUserBody } from "./api";

export default function CreatePage() {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const form = useSubmit(t("users.form.createFailed"));

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = toNewUserBody(new FormData(event.currentTarget));
    form.submit(async () => {
      await createUser(body);
      toast(t("users.form.created", { name: body.username }));
      navigate(paths.users);
    });
  };

  return (
    <div className="narrow">
      <div className="page-head">
        <h1>{t("users.form.createTitle")}</h1>
      </div>
      <form className="sheet" onSubmit={onSubmit}>
        <section className="card">
          <UsernameField error={form.wrong("username")} autoComplete="off" />
          <EmailField error={form.wrong("email")} autoComplete="off" />
          <NewPasswordField
            label={t("users.form.password")}
            name="password"
            hint={t("users.form.passwordHint")}
            error={form.wrong("password")}
          />
          <RoleField value="user" error={form.wrong("role")} />
        </section>
        <FormFoot error={form.error} busy={form.busy} submit={t("users.form.submit")}>
          <Link href={paths.users} className="button quiet">
            {t("common.action.cancel")}
          </Link>
        </FormFoot>
      </form>
    </div>
  );
}
