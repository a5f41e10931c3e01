import { useAtom } from "jotai";
import { useTransition } from "react";
import { useTranslation } from "react-i18next";
import { paths } from "../../paths";
import { Icon } from "../../ui/controls/icon";
import { useAgo } from "../../ui/feedback/ago";
import { toast } from "../../ui/feedback/toast";
import { beginAtIssuer } from "../../ui/hooks/single-sign-on";
import { useFailureText } from "../../ui/hooks/use-error-text";
import { useFormat } from "../../ui/hooks/use-format";
import { useRegistration } from "../../ui/hooks/use-registration";
import { type Identity, identityAtom, type Me, sendVerification, unlinkIdentity } from "./api";
import { SettingRow } from "./setting-row";

/** Runs a call, and reports its result or its failure. */
const useCall = () => {
  const failureText = useFailureText();
  const [busy, start] = useTransition();
  const run = (call: () => Promise<unknown>, failed: string, done?: string) =>
    start(async () => {
      try {
        await call();
        if (done) toast(done);
      } catch (error) {
        toast(failureText(failed, error), { tone: "bad" });
      }
    });
  return { busy, run };
};

/** Whether the address is verified, and a button that mails the link again. */
function EmailRow({ email, isVerified }: { email: string; isVerified: boolean }) {
  const { t } = useTranslation();
  const { busy, run } = useCall();
  const send = () => run(sendVerification, t("profile.signIn.sendFailed"), t("profile.signIn.sent", { email }));
  if (isVerified)
    return (
      <SettingRow title={t("account.email")} text={email}>
        <span className="tag">
          <Icon name="up" /> {t("profile.signIn.verified")}
        </span>
      </SettingRow>
    );
  return (
    <SettingRow title={t("profile.signIn.unverified")} text={t("profile.signIn.unverifiedText", { email })}>
      <button type="button" className="plain" disabled={busy} aria-busy={busy} onClick={send}>
        {t("profile.signIn.send")}
      </button>
    </SettingRow>
  );
}

function LinkedSince({ linked_at, last_sign_in_at }: NonNullable<Identity>) {
  const { t } = useTranslation();
  const format = useFormat();
  return t("profile.signIn.linkedSince", { day: format.day(linked_at), time: useAgo(last_sign_in_at) });
}

/** The user of the issuer who signs in to this account. */
function IdentityRow({ name, hasPassword }: { name: string; hasPassword: boolean }) {
  const { t } = useTranslation();
  const [{ data }, refresh] = useAtom(identityAtom);
  const { busy, run } = useCall();
  if (!data) return null;
  const { identity } = data;
  const link = () => run(() => beginAtIssuer("link", paths.profile), t("profile.signIn.linkFailed"));
  const unlink = () =>
    run(
      async () => {
        await unlinkIdentity();
        await refresh();
      },
      t("profile.signIn.unlinkFailed"),
      t("profile.signIn.unlinked"),
    );
  return (
    <SettingRow
      title={t("profile.signIn.linkTitle", { name })}
      text={identity ? <LinkedSince {...identity} /> : t("profile.signIn.linkText")}
    >
      {identity && hasPassword && (
        <button type="button" className="plain" disabled={busy} aria-busy={busy} onClick={unlink}>
          {t("profile.signIn.unlink")}
        </button>
      )}
      {!identity && (
        <button type="button" className="plain" disabled={busy} aria-busy={busy} onClick={link}>
          {t("profile.signIn.link")}
        </button>
      )}
    </SettingRow>
  );
}

/** How the user signs in besides a password, and whether their email address is verified. */
export function SignInSection({ me: { user, email_verified, has_password } }: { me: Me }) {
  const { t } = useTranslation();
  const { singleSignOn } = useRegistration();
  const issuer = singleSignOn?.kind === "oidc" ? singleSignOn.name : undefined;
  const hasEmail = Boolean(user.email) && email_verified !== null;
  if (!hasEmail && issuer === undefined) return null;
  return (
    <section className="card setting-rows">
      <h2>{t("profile.signIn.title")}</h2>
      {hasEmail && <EmailRow email={user.email ?? ""} isVerified={email_verified === true} />}
      {issuer !== undefined && <IdentityRow name={issuer} hasPassword={has_password} />}
    </section>
  );
}
