import type { Language } from "../../../src/shared/language";
import { api, CallError, payload } from "../../api";
import { raw } from "../../lib/form";
import { resource } from "../../lib/resource";
import { session, signIn } from "../../session";
import { withProof } from "../../ui/proof/with-proof";

type PasswordBody = { currentPassword: string; newPassword: string };

export const toPasswordBody = (form: FormData): PasswordBody => ({
  currentPassword: raw(form, "currentPassword"),
  newPassword: raw(form, "newPassword"),
});

export type Key = Awaited<ReturnType<typeof listKeys>>["keys"][number];
export type NewKey = Awaited<ReturnType<typeof createKey>>;

/** The signed-in user and token. Throws when another tab has signed out. */
const signedIn = () => {
  const { token, user } = session();
  if (!token || !user) throw new CallError("not_logged_in", "", 0);
  return { token, user };
};

/** The signed-in user, and the language and time zone of the user's alerts. */
const me = () => payload(api.auth.me.get());
export type Me = Awaited<ReturnType<typeof me>>;

/** Saves the user's own username and email and updates the session. */
export const updateProfile = async (body: { username: string; email: string }) => {
  const { token, user } = signedIn();
  const { user: saved } = await withProof(() => payload(api.users({ id: user.id }).put(body)));
  signIn(token, saved);
  return saved;
};

/** Changes the user's own password. The server ends all other sessions and returns a new token for this one. */
export const changePassword = async (body: PasswordBody) => {
  const { user } = signedIn();
  const { token } = await payload(api.users({ id: user.id })["change-password"].post(body));
  if (token) signIn(token, user);
};

export const sendVerification = () => payload(api.auth["verify-email"].send.post());

const readIdentity = () => payload(api.auth.oidc.identity.get());
export type Identity = Awaited<ReturnType<typeof readIdentity>>["identity"];

export const unlinkIdentity = () => payload(api.auth.oidc.identity.delete());

export type Session = Awaited<ReturnType<typeof listSessions>>["sessions"][number];

const listSessions = () => payload(api.auth.sessions.get());

export const endSession = (id: string) => withProof(() => payload(api.auth.sessions({ id }).delete()));

export const endOtherSessions = () => withProof(() => payload(api.auth.sessions.delete()));

export const setAlertLanguage = (language: Language) => payload(api.auth.language.put({ language }));

/** The built-in message of a monitor that is down, in both languages. */
const readAlertExamples = async () => {
  const { data } = await payload(api.notifications.get({ query: { specific: "0" } }));
  return data.templates.filter(({ name }) => name === "down");
};

export const setAlertTimeZone = (time_zone: string) => payload(api.auth["time-zone"].put({ time_zone }));

const listKeys = () => payload(api.keys.get());

export const createKey = async (settings: Parameters<typeof api.keys.post>[0]) => {
  const { key, data } = await withProof(() => payload(api.keys.post(settings)));
  return { key, ...data };
};

export const readConfiguration = () => payload(api.export.get());

export type ConfigurationFile = Parameters<typeof api.import.post>[0];
export type Imported = Awaited<ReturnType<typeof importConfiguration>>;
export type ImportNote = Imported["notes"][number];

export const importConfiguration = (file: ConfigurationFile) => payload(api.import.post(file));

export const meAtom = resource(me);

export const alertExamplesAtom = resource(readAlertExamples);

export const identityAtom = resource(readIdentity);

export const sessionsAtom = resource(listSessions);

export const keysAtom = resource(listKeys);
