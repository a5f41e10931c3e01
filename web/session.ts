import { atom, getDefaultStore } from "jotai";
import { purgeAnswers } from "./lib/offline/answers";
import { resetResources } from "./lib/resource";
import { clearTab, rereadStorage, SIGN_OUT_URL, SIGNED_OUT, store, stored, storeInTab } from "./lib/storage";

export type User = { id: number; username: string; email?: string | null; role: string };
type Session =
  | { status: "loading"; token: string; user: null }
  | { status: "unauthenticated"; token: null; user: null }
  | { status: "authenticated"; token: string; user: User | null };

const signedOut: Session = { status: "unauthenticated", token: null, user: null };

const storedUser = (): User | null => {
  try {
    const user: User | null = JSON.parse(stored("user") ?? "null");
    return typeof user?.username === "string" ? user : null;
  } catch {
    return null;
  }
};

const atStart = (): Session => {
  const token = stored("token");
  if (!token) return signedOut;
  const user = storedUser();
  return user ? { status: "authenticated", token, user } : { status: "loading", token, user: null };
};

const state = atom<Session>(atStart());

export const sessionAtom = atom((get) => get(state));
export const session = () => getDefaultStore().get(state);
const setSession = (next: Session) => getDefaultStore().set(state, next);

export const signIn = (token: string, user: User) => {
  store("token", token);
  store("user", JSON.stringify(user));
  setSession({ status: "authenticated", token, user });
};

export const signOut = () => {
  store("token", null);
  store("user", null);
  store("team", null);
  store(SIGN_OUT_URL, null);
  clearTab();
  setSession(signedOut);
  resetResources();
  void purgeAnswers();
};

/** Restores the stored session. A token without a stored user is looked up on the server; signs out when that fails. */
export const startSession = async (loadUser: () => Promise<User | null | undefined>) => {
  setSession(atStart());
  const { status, token } = session();
  if (status !== "loading") return;
  let reason: unknown = "the answer has no user";
  const user = await loadUser().catch((error) => {
    reason = error;
    return null;
  });
  if (!user) console.error("Failed to fetch user information", reason);
  if (session().token !== token) return;
  if (user) signIn(token, user);
  else signOut();
};

/** Applies a sign-in or sign-out of another tab to this one. */
export const followOtherTabs = () =>
  window.addEventListener("storage", (event) => {
    if (event.key !== "token" && event.key !== null) return;
    clearTab();
    rereadStorage();
    resetResources();
    setSession(atStart());
  });

/**
 * Sends a call of the signed-in user whose answer changes nothing on the page. It is not aborted when the page is left,
 * and a 401 does not end the session here: the next call that waits for its answer does.
 */
export const sendInBackground = (method: "POST" | "PUT", path: string, token: string | null, body?: object): void => {
  const headers = { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) };
  const url = new URL(path, document.baseURI);
  // An answer that is not read holds a connection, and a browser has few.
  void fetch(url, { method, headers, body: body ? JSON.stringify(body) : null, keepalive: true })
    .then((answer) => answer.text())
    .catch(() => {});
};

/** Signs out here at once, on the server whether or not that answers, and where the user signed in besides. */
export const endSession = (toLogin?: () => void): void => {
  const elsewhere = stored(SIGN_OUT_URL);
  sendInBackground("POST", "api/auth/logout", session().token);
  signOut();
  storeInTab(SIGNED_OUT, "1");
  if (elsewhere) location.assign(elsewhere);
  else toLogin?.();
};
