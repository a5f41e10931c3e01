import { api, CallError, payload } from "../../api";
import { currentLanguage } from "../../i18n";
import { signIn } from "../../session";
import type { LoginBody } from "./login-body";
import type { RegisterBody } from "./register-body";

/** Signs in. The language is stored as that of the user's alerts. Throws unless the answer has success, a token and a user. */
export const login = async (body: LoginBody) => {
  const { success, token, user, message } = await payload(
    api.auth.login.post({ ...body, language: currentLanguage() }),
    { isLogin: true },
  );
  if (!success || !token || !user) throw new CallError("login_failed", message ?? "", 200);
  signIn(token, user);
};

/** Registers an account. Throws unless the answer has success, whatever its status. */
export const register = async (body: RegisterBody) => {
  const { success, message } = await payload(api.auth.register.post(body));
  if (!success) throw new CallError("registration_failed", message ?? "", 200);
};

export const currentUser = async () => {
  const { success, user } = await payload(api.auth.me.get());
  return success ? user : null;
};

export const registration = () => payload(api.auth.registration.get());
