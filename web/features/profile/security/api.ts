import { api, payload } from "../../../api";
import { resource } from "../../../lib/resource";
import { createPasskey } from "../../../ui/proof/passkey";
import { withProof } from "../../../ui/proof/with-proof";

const readFactors = () => payload(api.auth.factors.get());

export type Passkey = Awaited<ReturnType<typeof readFactors>>["passkeys"][number];

export const factorsAtom = resource(readFactors);

export const offerTotp = () => withProof(() => payload(api.auth.totp.post()));
export type Offer = Awaited<ReturnType<typeof offerTotp>>;

export const addTotp = (setup: string, code: string) => withProof(() => payload(api.auth.totp.put({ setup, code })));

export const removeTotp = () => withProof(() => payload(api.auth.totp.delete()));

export const renewCodes = () => withProof(() => payload(api.auth["recovery-codes"].post()));

/** Lets the browser make a passkey, and adds it to the account. */
export const addPasskey = async (name: string) => {
  const { options } = await withProof(() => payload(api.auth.passkeys.options.post()));
  const credential = await createPasskey(options);
  return withProof(() => payload(api.auth.passkeys.post({ name, credential })));
};

export const renamePasskey = (id: number, name: string) =>
  withProof(() => payload(api.auth.passkeys({ id }).put({ name })));

export const removePasskey = (id: number) => withProof(() => payload(api.auth.passkeys({ id }).delete()));
