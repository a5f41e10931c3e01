import { useAtomValue } from "jotai";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { base } from "../../lib/navigation/base-path";
import { chooseTeam, storedInTab, storeInTab } from "../../lib/storage";
import { loginPath, paths } from "../../paths";
import { endSession, sessionAtom } from "../../session";
import { Form } from "../../ui/controls/form";
import { Icon } from "../../ui/controls/icon";
import { Skeleton } from "../../ui/feedback/skeleton";
import { useErrorText } from "../../ui/hooks/use-error-text";
import { useFormat } from "../../ui/hooks/use-format";
import { useSubmit } from "../../ui/hooks/use-submit";
import { usePageTitle } from "../../ui/layout/page-title";
import { acceptInvitation, previewInvitation } from "../teams/api";
import { AccountCard } from "./account-card";

/** The token stays in the tab until it is used, so that its reader can sign in or register first. */
const KEY = "invitation";

type Preview = Awaited<ReturnType<typeof previewInvitation>>;

/** What the link of a token is for, or why it can't be used. */
const usePreview = (token: string) => {
  const [state, setState] = useState<{ preview?: Preview; error?: unknown }>({});
  useEffect(() => {
    if (token)
      previewInvitation(token).then(
        (preview) => setState({ preview }),
        (error) => setState({ error }),
      );
  }, [token]);
  return state;
};

function Choices({ token, username }: { token: string; username: string | undefined }) {
  const { t } = useTranslation();
  const form = useSubmit(t("teams.accept.failed"), { plain: true });

  const onValid = () =>
    form.submit(async () => {
      try {
        const { id } = await acceptInvitation(token);
        storeInTab(KEY, "");
        chooseTeam(String(id));
        location.assign(base + paths.dashboard);
      } catch (error) {
        // The session may have ended, and with it what the tab had stored.
        storeInTab(KEY, token);
        throw error;
      }
    });

  if (username === undefined)
    return (
      <>
        <Link href={loginPath(paths.invitation)} className="button">
          {t("teams.accept.signIn")}
        </Link>
        <Link href={`${paths.register}?${new URLSearchParams({ next: paths.invitation })}`} className="button plain">
          {t("teams.accept.register")}
        </Link>
      </>
    );
  return (
    <Form of={form} onValid={onValid} guarded={false}>
      {form.error && (
        <p className="message bad" role="alert">
          <Icon name="alert" />
          {form.error}
        </p>
      )}
      <p className="soft">{t("teams.accept.as", { name: username })}</p>
      <button type="submit" disabled={form.busy} aria-busy={form.busy}>
        {t(form.busy ? "teams.accept.busy" : "teams.accept.submit")}
      </button>
      <button
        type="button"
        className="quiet"
        onClick={() => {
          endSession();
          storeInTab(KEY, token);
        }}
      >
        {t("teams.accept.other")}
      </button>
    </Form>
  );
}

/** The page of a link to an invitation: it changes nothing until its reader joins, because scanners of mails open links, too. */
export default function InvitationPage() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const format = useFormat();
  const { user } = useAtomValue(sessionAtom);
  const [token] = useState(() => location.hash.slice(1) || (storedInTab(KEY) ?? ""));
  const { preview, error } = usePreview(token);
  usePageTitle(t("teams.accept.title"));

  // The link does not stay in the history of the browser.
  useEffect(() => {
    storeInTab(KEY, token);
    history.replaceState(null, "", location.pathname);
  }, [token]);

  const problem = token === "" ? t("teams.accept.incomplete") : error ? errorText(error) : undefined;
  return (
    <AccountCard
      title={preview?.team ?? t("teams.accept.title")}
      subtitle={preview && t("teams.accept.from", { name: preview.invited_by })}
      footer={
        user ? (
          <Link href={paths.dashboard} className={problem ? "button" : undefined}>
            {t("teams.accept.toDashboard")}
          </Link>
        ) : problem ? (
          <Link href={paths.login} className="button">
            {t("account.login.title")}
          </Link>
        ) : null
      }
    >
      {problem ? (
        <p className={token === "" ? "message quiet" : "message bad"} role="alert">
          <Icon name="alert" />
          {problem}
        </p>
      ) : preview ? (
        <div className="invitation">
          <dl className="facts">
            <div>
              <dt>{t("teams.invitation.role")}</dt>
              <dd>{t(`teams.role.${preview.role}`)}</dd>
            </div>
            <div>
              <dt>{t("teams.accept.until")}</dt>
              <dd>{format.moment(preview.expires_at)}</dd>
            </div>
          </dl>
          <Choices token={token} username={user?.username} />
        </div>
      ) : (
        <Skeleton heights={["8rem"]} />
      )}
    </AccountCard>
  );
}
