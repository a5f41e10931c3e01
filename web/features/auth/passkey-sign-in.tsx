import { useTranslation } from "react-i18next";
import { useLocation, useSearch } from "wouter";
import { api, payload } from "../../api";
import { afterLogin } from "../../paths";
import { passkeyProblem, signWithPasskey } from "../../ui/proof/passkey";
import { enter, stated } from "./api";
import { PasskeyForm } from "./passkey-form";

/** Signs in by a passkey alone, where the page has passkeys. */
export default function PasskeySignIn() {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const next = afterLogin(useSearch());
  if (passkeyProblem()) return null;

  const signIn = async () => {
    const { options } = await payload(api.auth.passkey.options.post());
    enter(await payload(api.auth.passkey.post({ passkey: await signWithPasskey(options), ...stated() })));
    navigate(next);
  };
  return <PasskeyForm label={t("factors.signInByPasskey")} className="plain" onSubmit={signIn} />;
}
