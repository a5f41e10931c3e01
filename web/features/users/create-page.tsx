import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { paths } from "../../paths";
import { EmailField, NewPasswordField, UsernameField } from "../../ui/controls/account-fields";
import { Form, FormFoot } from "../../ui/controls/form";
import { toast } from "../../ui/feedback/toast";
import { useSubmit } from "../../ui/hooks/use-submit";
import { BackLink } from "../../ui/layout/back-link";
import { RoleField } from "./account-form";
import { createUser, toNewUserBody } from "./api";

export default function CreatePage() {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const form = useSubmit(t("users.form.createFailed"));

  const onValid = (fields: FormData) => {
    const body = toNewUserBody(fields);
    form.submit(
      async () => {
        await createUser(body);
        toast(t("users.form.created", { name: body.username }));
      },
      () => navigate(paths.users),
    );
  };

  return (
    <div className="new-user">
      <BackLink to={paths.users}>{t("users.edit.back")}</BackLink>
      <div className="page-head">
        <h1>{t("users.form.createTitle")}</h1>
      </div>
      <Form of={form} className="sheet" onValid={onValid} focus="username">
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
        <FormFoot of={form} sticky submit={t("users.form.submit")}>
          <Link href={paths.users} className="button quiet">
            {t("common.action.cancel")}
          </Link>
        </FormFoot>
      </Form>
    </div>
  );
}
