import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import { acceptedLanguage } from "../../../lib/headers/accepted-language";
import type { Language } from "../../../shared/language";
import { MINUTE } from "../../../shared/limits";
import { adoptLanguage, findUser, presentUser, setLanguage, setTimeZone, type User } from "../account/service";
import { networksOf } from "../client-address";
import { requestPasskey } from "../factors/passkeys/service";
import type { RelyingParty } from "../factors/passkeys/webauthn";
import { usableFactors } from "../factors/service";
import { recordSecurityEvent } from "../security-log";
import { startSession } from "../sessions/service";
import { issueTicket, isValidTicket, userIdOf } from "../tickets";
import { noticePlace } from "./places";
import { rememberAddress, rememberOrigin } from "./sign-in";

/** The request of a sign-in, and what signs the claims of its session. */
type SignInContext = {
  request: Request;
  address: string;
  sign: (claims: Awaited<ReturnType<typeof startSession>>) => Promise<string>;
};
/** Language and time zone of the page, and `by`: the second factor, or what signed the user in without a password. */
type Stated = { language?: Language; time_zone?: string; by?: string };

/** Completes a sign-in: starts a session, and returns its answer. */
export const completeSignIn = async (
  deps: Deps,
  { request, address, sign }: SignInContext,
  user: User,
  { language, time_zone, by = "" }: Stated,
) => {
  const { headers } = request;
  await rememberOrigin(deps, networksOf(address).narrowest, user);
  await recordSecurityEvent(deps, { kind: "signed_in", userId: user.id, username: user.username, address, detail: by });
  // A later sign-in, such as on a phone in another language, keeps the language of alerts.
  if (language && user.timeZone === null) await setLanguage(deps, user, language);
  else await adoptLanguage(deps, user, acceptedLanguage(headers.get("accept-language")));
  if (time_zone) await setTimeZone(deps, user, time_zone);
  if (user.role === "admin") await rememberAddress(deps, headers.get("origin"));
  const client = { userAgent: headers.get("user-agent") ?? "", address };
  await noticePlace(deps, user, client);
  const claims = await startSession(deps, user, client);
  return { success: true as const, message: "Signed in.", token: await sign(claims), user: presentUser(user) };
};

/** How long a right password waits for the second factor. */
const LASTS = 5 * MINUTE;

/** The values that end a ticket when they change: the password, and the network of the caller. */
const boundTo = (user: User, address: string) => [user.passwordHash, networksOf(address).narrowest];

/** The answer to a right password of a user who has second factors. It names the factors that can be used at this address. */
export const askSecondFactor = async (deps: Deps, user: User, party: RelyingParty | null, address: string) => {
  const factors = await usableFactors(deps, user, party);
  const bound = boundTo(user, address);
  const ticket = issueTicket(deps, "second factor", { subject: user.id, bound, lasts: LASTS });
  return {
    success: true as const,
    message: "Confirm the sign-in with a second factor.",
    second_factor: factors,
    ticket,
    ...(party &&
      factors.includes("passkey") && {
        passkey_options: await requestPasskey(deps, { party, ceremony: ["second factor", ticket], user }),
      }),
  };
};

/**
 * The user whose right password a ticket stands for.
 * @throws {AppError} sign_in_expired
 */
export const userOfTicket = async (deps: Deps, ticket: string, address: string): Promise<User> => {
  const id = userIdOf(ticket);
  const user = id === undefined ? undefined : await findUser(deps, id);
  if (!user || !isValidTicket(deps, "second factor", ticket, boundTo(user, address)))
    throw new AppError("sign_in_expired");
  return user;
};
