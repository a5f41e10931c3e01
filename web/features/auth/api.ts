import { api, CallError, payload } from "../../api";
import { currentLanguage } from "../../i18n";
import { raw, text } from "../../lib/form";
import { browserTimeZone } from "../../lib/format";
import { store, stored } from "../../lib/storage";
import { sendInBackground, session, signIn, type User } from "../../session";
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

/** The time zone and language of the page, which a sign-in stores for the user's alerts. */
export const stated = () => ({ language: currentLanguage(), time_zone: browserTimeZone() });

type LoginAnswer = { success: boolean; message: string; token?: string; user?: User };

/** Stores the session of a completed sign-in. Throws unless the answer has success, a token and a user. */
export const enter = ({ success, token, user, message }: LoginAnswer) => {
  if (!success || !token || !user) throw new CallError("login_failed", message ?? "", 200);
  signIn(token, user);
  store(SENT_ZONE, browserTimeZone());
};

const sendLogin = (body: LoginBody) => payload(api.auth.login.post({ ...body, ...stated() }), { isLogin: true });
type LoginAnswers = Awaited<ReturnType<typeof sendLogin>>;
/** A right password that a second factor has to complete. */
export type SecondStep = Extract<LoginAnswers, { ticket: string }>;

/** Signs in, or returns the second step that the account asks for. */
export const login = async (body: LoginBody): Promise<SecondStep | undefined> => {
  const answer = await sendLogin(body);
  if ("ticket" in answer) return answer;
  enter(answer);
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
