import { api, payload } from "../../../api";
import { resource } from "../../../lib/resource";
import { withProof } from "../../../ui/proof/with-proof";

const readFactors = () => payload(api.auth.factors.get());

export const factorsAtom = resource(readFactors);

export const offerTotp = () => withProof(() => payload(api.auth.totp.post()));
export type Offer = Awaited<ReturnType<typeof offerTotp>>;

export const addTotp = (setup: string, code: string) => withProof(() => payload(api.auth.totp.put({ setup, code })));

export const removeTotp = () => withProof(() => payload(api.auth.totp.delete()));

export const renewCodes = () => withProof(() => payload(api.auth["recovery-codes"].post()));
