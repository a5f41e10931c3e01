import { api, CallError, payload } from "../../api";
import { currentLanguage } from "../../i18n";
import { raw, text } from "../../lib/form";
import { browserTimeZone } from "../../lib/format";
import { store, stored } from "../../lib/storage";
import { sendInBackground, session, signIn } from "../../session";
import { registrationAtom } from "../../ui/hooks/use-registration";

type LoginBody = { username: string; password: string };

export const toLoginBody = (form: FormData): LoginBody => ({
  username: text(form, "username"),
  password: raw(form, "password"),
});

type RegisterBody = { username: string; email: string; password: string; setup_code?: string };

export const toRegisterBody = (form: FormData): RegisterBody => {
  const code = text(form, "setup_code");
  return {
    username: text(form, "username"),
    email: text(form, "email"),
    password: raw(form, "password"),
    ...(code && { setup_code: code }),
  };
};

/** The setup code in the hash of the address that the hub logs at its start; servers and proxies do not log a hash. Otherwise "". */
export const setupCodeOf = (hash: string): string => /^#([\dA-Z]{5}(?:-[\dA-Z]{5}){3})$/i.exec(hash)?.[1] ?? "";

/**
 * Signs in. The time zone, and at the first sign-in the language, are stored for the user's alerts. Throws unless the answer
 * has success, a token and a user.
 */
export const login = async (body: LoginBody) => {
  const { success, token, user, message } = await payload(
    api.auth.login.post({ ...body, language: currentLanguage(), time_zone: browserTimeZone() }),
    { isLogin: true },
  );
  if (!success || !token || !user) throw new CallError("login_failed", message ?? "", 200);
  signIn(token, user);
  store(SENT_ZONE, browserTimeZone());
};

/** The key of the time zone that this browser has sent. */
const SENT_ZONE = "timeZone";

/** Sends the time zone of the browser, for times in alerts, when it is another one than at the last sign-in. */
export const reportTimeZone = (): void => {
  const zone = browserTimeZone();
  if (stored(SENT_ZONE) === zone) return;
  store(SENT_ZONE, zone);
  sendInBackground("PUT", "api/auth/time-zone", session().token, { time_zone: zone });
};

/** Registers an account. Throws unless the answer has success, regardless of its status. */
export const register = async (body: RegisterBody) => {
  const { success, message } = await payload(api.auth.register.post(body));
  if (!success) throw new CallError("registration_failed", message ?? "", 200);
  // The login page must not lead back here: the first account exists now.
  registrationAtom.edit((state) => ({ ...state, first: false }));
};

export const currentUser = async () => {
  const { success, user } = await payload(api.auth.me.get());
  return success ? user : null;
};
