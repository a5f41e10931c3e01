import { type api, CallError } from "../../api";

/** Why this page has no passkeys: its address is not https or has no host name, or the browser lacks them; null where it has. */
export const passkeyProblem = (): "unavailable" | "unsupported" | null => {
  if (!window.isSecureContext || /^[\d.]+$|^\[/.test(location.hostname)) return "unavailable";
  return "PublicKeyCredential" in window && "parseCreationOptionsFromJSON" in PublicKeyCredential
    ? null
    : "unsupported";
};

/** The credential that the browser answers, as JSON. @throws {CallError} passkey_cancelled, passkey_exists */
const jsonOf = async (answer: Promise<Credential | null>) => {
  try {
    return ((await answer) as PublicKeyCredential).toJSON();
  } catch (error) {
    const exists = error instanceof DOMException && error.name === "InvalidStateError";
    throw new CallError(exists ? "passkey_exists" : "passkey_cancelled", "", 0);
  }
};

type Created = Parameters<typeof api.auth.passkeys.post>[0]["credential"];

/** Lets the browser make a passkey. */
export const createPasskey = async (options: PublicKeyCredentialCreationOptionsJSON) => {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return (await jsonOf(navigator.credentials.create({ publicKey }))) as Created;
};

/** Lets the user sign with a passkey. */
export const signWithPasskey = async (options: PublicKeyCredentialRequestOptionsJSON) => {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return (await jsonOf(navigator.credentials.get({ publicKey }))) as AuthenticationResponseJSON;
};
