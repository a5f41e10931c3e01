import { claimAttempt, isExceeded, type Limit, limitKey, networkLimits } from "../../../cluster/rate-limit";
import type { Deps } from "../../../core/deps";
import { HOUR } from "../../../shared/limits";

/** Failed sign-ins from one network with one username, where this user is known. */
export const loginLimit = (network: string, usernameKey: string): Limit => ({
  key: limitKey(network, usernameKey),
  allowed: 10,
});

/** Failed sign-ins of an unknown client: with one username from its networks, and with all usernames from them. */
export const unknownClientLimits = (networks: string[], usernameKey: string): Limit[] => [
  ...networkLimits(networks, loginLimit("", "").allowed, (network) => loginLimit(network, usernameKey).key),
  ...networkLimits(networks, 60, (network) => limitKey("origin", network)),
];

/** Failed sign-ins of all unknown clients with one username. */
export const nameLimit = (usernameKey: string): Limit => ({ key: limitKey("name", usernameKey), allowed: 100 });

/**
 * While `nameLimit` is exceeded, each network still gets one attempt with that username in six hours: the owner can
 * sign in from a new place, and a network gains one guess in that time.
 */
const lastAttemptLimit = (network: string, usernameKey: string): Limit => ({
  key: limitKey("last", network, usernameKey),
  allowed: 1,
  window: 6 * HOUR,
});

/** Failed confirmations of a signed-in user's password: from one network, and from everywhere. */
export const confirmationLimits = (network: string, userId: number): Limit[] => [
  { key: limitKey("confirm", network, userId), allowed: 10 },
  { key: limitKey("confirm", userId), allowed: 30 },
];

/**
 * Wrong second factors of one account: from a network that its user has signed in from, and from all others together, so that
 * a password that is known elsewhere keeps no user out.
 */
export const factorLimit = (userId: number, knownNetwork: string | null): Limit => ({
  key: knownNetwork === null ? limitKey("factor", userId) : limitKey("factor", knownNetwork, userId),
  allowed: 5,
});

/**
 * Successful password checks of one account, from one network and from everywhere: each costs a hash, and a user who
 * knows a right password could otherwise keep the hashing busy without ever failing.
 */
export const successLimits = (network: string, account: string): Limit[] => [
  { key: limitKey("success", network, account), allowed: 60 },
  { key: limitKey("success", account), allowed: 200 },
];

/** Refused sign-ins by passkeys alone. */
export const passkeyLimits = (networks: string[]): Limit[] =>
  networkLimits(networks, 60, (network) => limitKey("passkey", network));

/** Requests for new accounts. */
export const registrationLimits = (networks: string[]): Limit[] =>
  networkLimits(networks, 30, (network) => limitKey("register", network));

/** Wrong setup codes. */
export const setupCodeLimits = (networks: string[]): Limit[] =>
  networkLimits(networks, 10, (network) => limitKey("setup code", network));

/**
 * Counts an unknown client's attempt with a username, and when too many unknown clients tried it, the attempts of this
 * network with it.
 * @throws {AppError} rate_limited when both limits are exceeded
 */
export const claimNameAttempt = async (
  store: Pick<Deps, "db" | "clock">,
  network: string,
  usernameKey: string,
): Promise<void> => {
  if (await isExceeded(store, nameLimit(usernameKey)))
    await claimAttempt(store, [lastAttemptLimit(network, usernameKey)]);
};
