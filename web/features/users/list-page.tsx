import { useAtom, useAtomValue } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../paths";
import { sessionAtom } from "../../session";
import { Icon } from "../../ui/controls/icon";
import { RefreshButton } from "../../ui/controls/refresh-button";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { Stale } from "../../ui/feedback/stale";
import type { User } from "./calls";
import { DeleteUser } from "./delete-user";
import { RegistrationSwitch } from "./registration-switch";
import { UserList } from "./user-list";
import { usersAtom } from "./users-state";

export default function ListPage() {
  const { t } = useTranslation();
  const [{ data, error, loading }, refresh] = useAtom(usersAtom);
  const own = useAtomValue(sessionAtom).user?.id;
  const [deleting, setDeleting] = useState<User>();
  const retry = () => void refresh();

  return (
    <>
      <div className="page-head">
        <h1>{t("users.title")}</h1>
        <div className="actions">
          <RefreshButton loading={loading} onRefresh={retry} />
          <Link href={paths.userCreate} className="button">
            <Icon name="plus" />
            {t("users.create")}
          </Link>
        </div>
      </div>
      {data ? (
        <>
          <Stale error={error} onRetry={retry} />
          <div className="stack">
            <RegistrationSwitch />
            {data.total > data.users.length && (
              <p className="soft small">{t("common.partial", { shown: data.users.length, total: data.total })}</p>
            )}
            <UserList users={data.users} own={own} onDelete={setDeleting} />
          </div>
        </>
      ) : error ? (
        <Failure title={t("users.loadFailed")} error={error} onRetry={retry} />
      ) : (
        <Skeleton heights={["5.5rem", "16rem"]} />
      )}
      {deleting && <DeleteUser user={deleting} onDeleted={retry} onClose={() => setDeleting(undefined)} />}
    </>
  );
}
