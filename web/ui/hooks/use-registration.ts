import { useAtomValue } from "jotai";
import { api, payload } from "../../api";
import { bootstrap } from "../../bootstrap";
import { resource } from "../../lib/resource";

export const registrationAtom = resource(() => payload(api.auth.registration.get()));

/**
 * Whether registration is open, whether the account would be the first, and how users sign in. Until the server answers, these are the
 * settings in the page.
 */
export const useRegistration = () => {
  const { data } = useAtomValue(registrationAtom);
  return {
    open: data?.open ?? bootstrap.registration === "open",
    first: data?.first ?? false,
    passkeys: data?.passkeys ?? false,
    passwords: data?.password_login ?? bootstrap.passwordLogin,
    singleSignOn: data ? data.single_sign_on : bootstrap.singleSignOn,
  };
};
