import { useAtomValue } from "jotai";
import { api, payload } from "../../api";
import { bootstrap } from "../../bootstrap";
import { resource } from "../../lib/resource";

export const registrationAtom = resource(() => payload(api.auth.registration.get()));

/**
 * Whether registration is open, whether the account would be the first, and whether there are passkeys. Until the server answers,
 * `open` is the setting in the page.
 */
export const useRegistration = (): { open: boolean; first: boolean; passkeys: boolean } => {
  const { data } = useAtomValue(registrationAtom);
  return {
    open: data?.open ?? bootstrap.registration === "open",
    first: data?.first ?? false,
    passkeys: data?.passkeys ?? false,
  };
};
