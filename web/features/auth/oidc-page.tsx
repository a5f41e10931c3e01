import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { paths } from "../../paths";
import { Icon } from "../../ui/controls/icon";
import { toast } from "../../ui/feedback/toast";
import { finishAtIssuer, takeBegun } from "../../ui/hooks/single-sign-on";
import { useErrorText } from "../../ui/hooks/use-error-text";
import { usePageTitle } from "../../ui/layout/page-title";
import { AccountCard } from "./account-card";

/** Where the issuer leads back to: finishes the sign-in, and opens the page that was asked for. */
export default function OidcPage() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [, navigate] = useLocation();
  const [error, setError] = useState<string>();
  const hasBegun = useRef(false);
  usePageTitle(t("account.login.title"));

  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer of the issuer can be used once
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    const [begun, query] = [takeBegun(), location.search.slice(1)];
    // The answer does not stay in the history of the browser.
    history.replaceState(null, "", location.pathname);
    if (!begun) return setError(t("errors.code.oidc_expired"));
    finishAtIssuer(begun, query).then(
      () => {
        if (begun.purpose === "link") toast(t("profile.signIn.linked"));
        navigate(begun.next, { replace: true });
      },
      (failure) => setError(errorText(failure, t("account.login.failed"))),
    );
  }, []);

  return (
    <AccountCard
      title={t("account.login.title")}
      footer={
        error !== undefined && (
          <Link href={paths.login} className="button">
            {t("reset.toLogin")}
          </Link>
        )
      }
    >
      {error === undefined ? (
        <p className="soft" role="status" aria-busy="true">
          {t("account.login.busy")}
        </p>
      ) : (
        <p className="message bad" role="alert">
          <Icon name="alert" />
          {error}
        </p>
      )}
    </AccountCard>
  );
}
