import { useAtomValue } from "jotai";
import { useEffect, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { api, payload } from "../../api";
import { paths } from "../../paths";
import { sessionAtom } from "../../session";
import { Icon } from "../../ui/controls/icon";
import { useErrorText } from "../../ui/hooks/use-error-text";
import { usePageTitle } from "../../ui/layout/page-title";
import { AccountCard } from "./account-card";

/** The page of a link in a mail: it verifies the address when its button is pressed, because scanners of mails open links, too. */
export default function VerifyPage() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { user } = useAtomValue(sessionAtom);
  const [token] = useState(() => location.hash.slice(1));
  const [state, setState] = useState<{ error?: string; done?: true }>(token ? {} : { error: t("reset.noToken") });
  const [busy, start] = useTransition();
  usePageTitle(t("verify.title"));

  // The link does not stay in the history of the browser.
  useEffect(() => history.replaceState(null, "", location.pathname), []);

  const verify = () =>
    start(async () => {
      try {
        await payload(api.auth["verify-email"].post({ token }));
        setState({ done: true });
      } catch (failure) {
        setState({ error: errorText(failure) });
      }
    });

  return (
    <AccountCard
      title={t("verify.title")}
      footer={
        <Link href={user ? paths.profile : paths.login} className={token === "" || state.done ? "button" : undefined}>
          {t(user ? "verify.toProfile" : "account.login.title")}
        </Link>
      }
    >
      {state.done && (
        <p className="message good" role="status">
          <Icon name="up" />
          {t("verify.done")}
        </p>
      )}
      {state.error !== undefined && (
        <p className={token === "" ? "message quiet" : "message bad"} role="alert">
          <Icon name="alert" />
          {state.error}
        </p>
      )}
      {token !== "" && !state.done && (
        <form action={verify}>
          <button type="submit" disabled={busy} aria-busy={busy}>
            {t("verify.confirm")}
          </button>
        </form>
      )}
    </AccountCard>
  );
}
