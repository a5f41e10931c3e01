import { api, CallError, payload } from "../../api";
import { currentLanguage } from "../../i18n";
import { signIn } from "../../session";
import type { LoginBody } from "./login-body";
import type { RegisterBody } from "./register-body";

/** Signed in only with success, a token and a user. The language is the one that alerts are then written in. */
export const login = async (body: LoginBody) => {
  const { success, token, user, message } = await payload(
    api.auth.login.post({ ...body, language: currentLanguage() }),
    { isLogin: true },
  );
  if (!success || !token || !user) throw new CallError("login_failed", message ?? "", 200);
  signIn(token, user);
};

/** Registered only with success, whatever the status of the answer. */
export const register = async (body: RegisterBody) => {
  const { success, message } = await payload(api.auth.register.post(body));
  if (!success) throw new CallError("registration_failed", message ?? "", 200);
};

export const currentUser = async () => {
  const { success, user } = await payload(api.auth.me.get());
  return success ? user : null;
};

export const registration = () => payload(api.auth.registration.get());
