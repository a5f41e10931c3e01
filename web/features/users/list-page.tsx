import { useAtom, useAtomValue } from "jotai";
import { useOptimistic, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { paths } from "../../paths";
import { sessionAtom } from "../../session";
import { Icon } from "../../ui/controls/icon";
import { RefreshButton } from "../../ui/controls/refresh-button";
import { Switch } from "../../ui/controls/switch";
import { Failure } from "../../ui/feedback/failure";
import { Skeleton } from "../../ui/feedback/skeleton";
import { Stale } from "../../ui/feedback/stale";
import { toast } from "../../ui/feedback/toast";
import { useFailureText } from "../../ui/hooks/use-error-text";
import { registrationAtom } from "../../ui/hooks/use-registration";
import { setRegistration, type User, usersAtom } from "./api";
import { DeleteUser } from "./delete-user";
import { UserList } from "./user-list";

/** The switch that opens and closes registration. Renders nothing until the current setting is loaded. */
function RegistrationSwitch() {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const [{ data }, refresh] = useAtom(registrationAtom);
  const [open, setOpen] = useOptimistic(data?.open);
  const [, start] = useTransition();
  if (open === undefined) return null;

  const change = (next: boolean) =>
    start(async () => {
      setOpen(next);
      try {
        await setRegistration(next);
      } catch (error) {
        toast(failureText(t("users.registration.failed"), error), { tone: "bad" });
      }
      await refresh();
    });

  return (
    <section className="card registration">
      <Switch label={t("users.registration.label")} checked={open} disabled={data?.fixed} onChange={change} />
      <p className="soft small">{t(`users.registration.${data?.fixed ? "fixed" : open ? "open" : "closed"}`)}</p>
    </section>
  );
}

/** Loads what the page begins with. */
export const prepare = (): Promise<void> => usersAtom.prepare();

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
              <p className="soft small">{t("users.partial", { shown: data.users.length, total: data.total })}</p>
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
