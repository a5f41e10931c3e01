import { useAtom, useAtomValue } from "jotai";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { isMissing } from "../../api";
import { raw } from "../../lib/form";
import { later } from "../../lib/offline/code";
import { paths } from "../../paths";
import { sessionAtom } from "../../session";
import { NewPasswordField } from "../../ui/controls/account-fields";
import { Form, FormFoot } from "../../ui/controls/form";
import { Icon } from "../../ui/controls/icon";
import { Empty } from "../../ui/feedback/empty";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { toast } from "../../ui/feedback/toast";
import { useSubmit } from "../../ui/hooks/use-submit";
import { BackLink } from "../../ui/layout/back-link";
import { usePageTitle } from "../../ui/layout/page-title";
import { withFactorTexts } from "../../ui/proof/texts";
import { AccountForm } from "./account-form";
import { isLastAdmin, resetPassword, type User, userAtom, usersAtom } from "./api";
import { DeleteUser } from "./delete-user";

const ResetFactors = later(() => withFactorTexts(() => import("./reset-factors")), false);

/** Replaces the page of a user who does not exist or could not be loaded. */
function UserProblem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  if (!isMissing(error)) return <Failure title={t("users.edit.loadFailed")} error={error} onRetry={onRetry} />;
  return (
    <Empty heading="h1" icon="search" title={t("users.edit.missing")} text={t("users.edit.missingText")}>
      <Link href={paths.users} className="button plain">
        {t("users.edit.back")}
      </Link>
    </Empty>
  );
}

/** Sets a new password for another user. */
export function PasswordForm({ user }: { user: Pick<User, "id" | "username"> }) {
  const { t } = useTranslation();
  const form = useSubmit(t("users.edit.passwordFailed"));

  const onValid = (fields: FormData, element: HTMLFormElement) => {
    const password = raw(fields, "newPassword");
    form.submit(async () => {
      await resetPassword(user.id, password);
      element.reset();
      toast(t("users.edit.passwordSet", { name: user.username }));
    });
  };

  return (
    <Form of={form} className="card" onValid={onValid}>
      <h2>{t("users.edit.password")}</h2>
      <p className="soft">{t("users.edit.passwordText")}</p>
      <NewPasswordField
        label={t("users.edit.newPassword")}
        name="newPassword"
        hint={t("account.passwordHint")}
        error={form.wrong("new_password")}
      />
      <FormFoot of={form} submit={t("users.edit.setPassword")} />
    </Form>
  );
}

export default function EditPage({ id }: { id: string }) {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const [{ data, error }, refresh] = useAtom(userAtom(id));
  const all = useAtomValue(usersAtom).data;
  const own = useAtomValue(sessionAtom).user?.id;
  const [deleting, setDeleting] = useState(false);
  usePageTitle(data?.user.username);

  if (!data && error) return <UserProblem error={error} onRetry={() => void refresh()} />;
  if (!data || !all) return <Skeleton heights={["2.5rem", "20rem", "12rem"]} />;
  const { user } = data;
  const isOwn = user.id === own;

  return (
    <>
      <BackLink to={paths.users}>{t("users.edit.back")}</BackLink>
      <div className="page-head">
        <h1>{user.username}</h1>
      </div>
      <div className="sheet split">
        <AccountForm
          user={user}
          isOwn={isOwn}
          isLast={isLastAdmin(all.users, user.id)}
          onSaved={() => void refresh()}
        />
        {isOwn ? (
          <section className="card">
            <h2>{t("users.edit.password")}</h2>
            <p className="soft">{t("users.edit.ownPassword")}</p>
            <div className="actions">
              <Link href={paths.profile} className="button plain">
                {t("users.edit.toProfile")}
              </Link>
            </div>
          </section>
        ) : (
          <PasswordForm user={user} />
        )}
        {!isOwn && data.second_factors.length > 0 && (
          <Suspense>
            <ResetFactors user={user} onReset={() => void refresh()} />
          </Suspense>
        )}
        <section className="card">
          <h2>{t("users.edit.delete")}</h2>
          <p className="soft">{t(isOwn ? "users.delete.self" : "users.edit.deleteText")}</p>
          {!isOwn && (
            <div className="actions">
              <button type="button" className="plain" onClick={() => setDeleting(true)}>
                <Icon name="trash" />
                {t("users.edit.delete")}
              </button>
            </div>
          )}
        </section>
      </div>
      {deleting && (
        <DeleteUser user={user} onDeleted={() => navigate(paths.users)} onClose={() => setDeleting(false)} />
      )}
    </>
  );
}
