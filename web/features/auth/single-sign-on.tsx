import { type ReactNode, useEffect, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useSearch } from "wouter";
import type { SingleSignOn as Other } from "../../bootstrap";
import { SIGNED_OUT, storedInTab } from "../../lib/storage";
import { afterLogin } from "../../paths";
import { Icon } from "../../ui/controls/icon";
import { beginAtIssuer, loginByProxy } from "../../ui/hooks/single-sign-on";
import { useErrorText } from "../../ui/hooks/use-error-text";

type Props = { of: Other; passwords: "on" | "admins" | "off"; children: ReactNode };

/** Signs in at an issuer or by a proxy, besides the form for a password or in place of it. */
export default function SingleSignOn({ of: { kind, name, available }, passwords, children }: Props) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [, navigate] = useLocation();
  const next = afterLogin(useSearch());
  const [error, setError] = useState<string>();
  const [busy, start] = useTransition();

  const signIn = () =>
    start(async () => {
      setError(undefined);
      try {
        if (kind === "oidc") return await beginAtIssuer("sign-in", next);
        await loginByProxy();
        navigate(next);
      } catch (failure) {
        setError(errorText(failure, t("account.login.failed")));
      }
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, and not for a user who has just signed out
  useEffect(() => {
    if (kind === "proxy" && storedInTab(SIGNED_OUT) === null) signIn();
  }, [kind]);

  return (
    <div className="single-sign-on">
      {error === undefined ? (
        children
      ) : (
        <p className="message bad" role="alert">
          <Icon name="alert" />
          {error}
        </p>
      )}
      {!available && (
        <p className="message note" role="status">
          <Icon name="alert" />
          {t(passwords === "admins" ? "elsewhere.administrators" : "elsewhere.unavailable", { name })}
        </p>
      )}
      <button
        type="button"
        className={passwords === "off" ? undefined : "plain"}
        disabled={busy}
        aria-busy={busy}
        onClick={signIn}
      >
        {kind === "oidc" ? t("elsewhere.signIn", { name }) : t("account.login.submit")}
      </button>
      {passwords !== "off" && <p className="or soft small">{t("elsewhere.or")}</p>}
    </div>
  );
}
