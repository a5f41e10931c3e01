import { useEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { useTranslation } from "react-i18next";
import { api, payload } from "../../api";
import { raw, text } from "../../lib/form";
import { Field, PasswordInput } from "../controls/field";
import { FormDialog } from "../feedback/form-dialog";
import { loginByProxy } from "../hooks/single-sign-on";
import { useErrorText } from "../hooks/use-error-text";
import { CodeInput } from "./code-input";
import { passkeyProblem, signWithPasskey } from "./passkey";
import { SignInAgainDialog } from "./sign-in-again";
import { loadFactorTexts } from "./texts";
import { withToken } from "./with-token";

type Props = { onProved: () => void; onClose: () => void };
type Way = "password" | "passkey" | "totp";

/** The body of the call, by the way to prove it. */
const PROOFS: Record<Way, (fields: FormData) => Promise<object>> = {
  password: async (fields) => ({ password: raw(fields, "password") }),
  totp: async (fields) => ({ totp: text(fields, "totp") }),
  passkey: async () => {
    const { options } = await payload(api.auth.proof.options.post());
    return { passkey: await signWithPasskey(options) };
  },
};

/**
 * Asks for the password, or for a passkey or a code of the authenticator app where there is one. It is no transition: React ends all
 * transitions under way together, and the form whose call waits for the proof is in one.
 */
function ProofDialog({ onProved, onClose }: Props) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const element = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [ways, setWays] = useState<readonly Way[]>(["password"]);
  const [way, setWay] = useState<Way>("password");

  useEffect(() => {
    // The password is enough where this fails.
    payload(api.auth.factors.get()).then(
      ({ totp, passkeys }) => {
        const isHere = passkeys.some(({ host }) => host === location.hostname) && passkeyProblem() === null;
        setWays(["password", ...(isHere ? (["passkey"] as const) : []), ...(totp ? (["totp"] as const) : [])]);
      },
      () => {},
    );
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the other way has another field, which gets the focus
  useEffect(() => element.current?.querySelector("input")?.focus(), [way]);

  const prove = async () => {
    if (!element.current) return;
    const fields = new FormData(element.current);
    setBusy(true);
    setError(undefined);
    try {
      withToken(await payload(api.auth.proof.post(await PROOFS[way](fields))));
      onProved();
    } catch (failure) {
      setError(errorText(failure, t("factors.proof.failed")));
      setBusy(false);
    }
  };

  return (
    <FormDialog
      of={{ element, busy, error }}
      title={t("factors.proof.title")}
      text={t("factors.proof.text")}
      submit={t("factors.proof.submit")}
      onSubmit={() => void prove()}
      isDirty={() => false}
      onClose={onClose}
      first={
        ways.length > 1 && (
          <div className="first proof-ways">
            {ways
              .filter((other) => other !== way)
              .map((other) => (
                <button key={other} type="button" className="quiet" onClick={() => setWay(other)}>
                  {t(`factors.use.${other}`)}
                </button>
              ))}
          </div>
        )
      }
    >
      {way === "passkey" && <p className="soft">{t("factors.proof.passkey")}</p>}
      {way === "totp" && <CodeInput key="totp" />}
      {way === "password" && (
        <Field key="password" label={t("factors.proof.password")}>
          <PasswordInput name="password" required autoComplete="current-password" />
        </Field>
      )}
    </FormDialog>
  );
}

/** The issuer or the proxy that signs in a user who has no password; null for others. */
const whoSignsIn = async () => {
  const { has_password } = await payload(api.auth.me.get());
  return has_password ? null : (await payload(api.auth.registration.get())).single_sign_on;
};

/** Asks in a dialog of its own, above any other that is open. Resolves to whether the user has proved that it is them. */
export const askForProof = async (): Promise<boolean> => {
  const [other] = await Promise.all([whoSignsIn().catch(() => null), loadFactorTexts()]);
  if (other?.kind === "proxy") return loginByProxy().then(() => true);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  const onClose = () => resolve(false);
  root.render(
    other ? (
      <SignInAgainDialog name={other.name} onClose={onClose} />
    ) : (
      <ProofDialog onProved={() => resolve(true)} onClose={onClose} />
    ),
  );
  const isProved = await promise;
  root.unmount();
  place.remove();
  return isProved;
};
