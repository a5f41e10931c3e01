import { atom, getDefaultStore } from "jotai";
import { resetResources } from "./lib/resource";
import { clearTab, store, stored } from "./lib/storage";

export type User = { id: number; username: string; email?: string | null; role: string };
export type Session =
  | { status: "loading"; token: string; user: null }
  | { status: "unauthenticated"; token: null; user: null }
  | { status: "authenticated"; token: string; user: User | null };

const nobody: Session = { status: "unauthenticated", token: null, user: null };

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
  if (!token) return nobody;
  const user = storedUser();
  return user ? { status: "authenticated", token, user } : { status: "loading", token, user: null };
};

const state = atom<Session>(atStart());

export const sessionAtom = atom((get) => get(state));
export const session = () => getDefaultStore().get(state);
const become = (next: Session) => getDefaultStore().set(state, next);

export const signIn = (token: string, user: User) => {
  store("token", token);
  store("user", JSON.stringify(user));
  become({ status: "authenticated", token, user });
};

export const signOut = () => {
  store("token", null);
  store("user", null);
  clearTab();
  become(nobody);
  resetResources();
};

/** A token without a user asks the server whose it is; no answer means nobody's. */
export const startSession = async (whoIsThis: () => Promise<User | null | undefined>) => {
  become(atStart());
  const { status, token } = session();
  if (status !== "loading") return;
  let reason: unknown = "the answer has no user";
  const user = await whoIsThis().catch((error) => {
    reason = error;
    return null;
  });
  if (!user) console.error("Failed to fetch user information", reason);
  if (session().token !== token) return;
  if (user) signIn(token, user);
  else signOut();
};

/** Signing in or out in one tab does so in all of them. */
export const followOtherTabs = () =>
  window.addEventListener("storage", (event) => {
    if (event.key !== "token" && event.key !== null) return;
    clearTab();
    resetResources();
    become(atStart());
  });

/**
 * Sends a call of the signed-in user whose answer changes nothing on the page. It is not aborted when the page is left,
 * and a 401 does not end the session here: the next call that waits for its answer does.
 */
export const sendInBackground = (method: "POST" | "PUT", path: string, token: string | null, body?: object): void => {
  const headers = { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) };
  const url = new URL(path, document.baseURI);
  void fetch(url, { method, headers, body: body ? JSON.stringify(body) : null, keepalive: true }).catch(() => {});
};
