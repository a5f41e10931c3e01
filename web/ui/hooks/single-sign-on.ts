import { api, payload } from "../../api";
import { currentLanguage } from "../../i18n";
import { browserTimeZone } from "../../lib/format";
import { clearTab, SIGN_OUT_URL, store, storedInTab, storeInTab } from "../../lib/storage";
import { sendInBackground, session, signIn, type User } from "../../session";

/** A sign-in at the issuer, or the link of the signed-in user to it. */
type Purpose = "sign-in" | "link";
/** What this tab keeps while its user is at the issuer. The ticket never leaves the tab, so no other browser can use the answer. */
type Begun = { purpose: Purpose; ticket: string; next: string };

const BEGUN = "oidc";

/** Leads to the issuer, which leads back to /login/oidc. */
export const beginAtIssuer = async (purpose: Purpose, next: string): Promise<void> => {
  const { oidc } = api.auth;
  const { url, ticket } = await payload(purpose === "link" ? oidc.link.start.post() : oidc.start.post());
  storeInTab(BEGUN, JSON.stringify({ purpose, ticket, next } satisfies Begun));
  location.assign(url);
};

/** What this tab has begun at the issuer, or null. It can be taken once. */
export const takeBegun = (): Begun | null => {
  const begun: Begun | null = JSON.parse(storedInTab(BEGUN) ?? "null");
  storeInTab(BEGUN, "null");
  return begun;
};

type Answer = { token: string; user: User; sign_out_url?: string | undefined };

/** Stores the session, which replaces an earlier one of the user who has signed in again. */
const enter = ({ token, user, sign_out_url }: Answer): void => {
  const earlier = session().token;
  if (earlier) sendInBackground("POST", "api/auth/logout", earlier);
  clearTab();
  signIn(token, user);
  store(SIGN_OUT_URL, sign_out_url ?? null);
};

const stated = () => ({ language: currentLanguage(), time_zone: browserTimeZone() });

/** Finishes what was begun at the issuer, by the query of the address that it led back to. */
export const finishAtIssuer = async ({ purpose, ticket }: Begun, query: string): Promise<void> => {
  const { oidc } = api.auth;
  if (purpose === "link") await payload(oidc.link.callback.post({ ticket, query }));
  else enter(await payload(oidc.callback.post({ ticket, query, ...stated() }), { isLogin: true }));
};

/** Signs in as the user whom the proxy in front of the hub names. */
export const loginByProxy = async (): Promise<void> =>
  enter(await payload(api.auth.header.post(stated()), { isLogin: true }));
