import { useAtom, useAtomValue } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { paths } from "../../paths";
import { sessionAtom } from "../../session";
import { Icon } from "../../ui/controls/icon";
import { Skeleton } from "../../ui/feedback/skeleton";
import { usePageTitle } from "../../ui/layout/page-title";
import { AccountForm } from "./account-form";
import { DeleteUser } from "./delete-user";
import { PasswordForm } from "./password-form";
import { isLastAdmin } from "./select-users";
import { UserProblem } from "./user-problem";
import { userAtom, usersAtom } from "./users-state";

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
    <div className="narrow">
      <Link href={paths.users} className="back">
        <Icon name="left" />
        {t("users.edit.back")}
      </Link>
      <div className="page-head">
        <h1>{user.username}</h1>
      </div>
      <div className="sheet">
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
        <section className="card">
          <h2>{t("users.edit.delete")}</h2>
          <p className="soft">{t(isOwn ? "users.delete.self" : "users.edit.deleteText")}</p>
          {!isOwn && (
            <div className="actions">
              <button type="button" className="danger" onClick={() => setDeleting(true)}>
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
    </div>
  );
}
