import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import { LIMITS } from "../../../shared/limits";
import { isUsernameAllowed } from "../account/account-rules";
import { applyRole, roleOf, storeExternal } from "../account/external";
import { findUserByName, keyOf, type User } from "../account/service";
import { isInRanges, type PeerSource, peerAddress } from "../client-address";
import { applyTeams } from "../teams/groups";

/** A header's value in UTF-8, which HTTP passes as bytes. */
const headerOf = ({ headers }: Request, name: string): string => {
  const value = (name && headers.get(name)?.trim()) || "";
  const decoded = Buffer.from(value, "latin1").toString("utf8");
  return decoded.includes("\ufffd") ? value : decoded;
};

/** The name in the header of AUTH_HEADER, from any client; empty without one. */
export const statedUser = ({ config }: Pick<Deps, "config">, request: Request): string =>
  headerOf(request, config.authHeader.name);

/** The user whom a trusted proxy names; empty where none does. */
export const namedUser = (deps: Pick<Deps, "config">, request: Request, server: PeerSource): string =>
  isInRanges(deps.config.trustedProxies, peerAddress(request, server)) ? statedUser(deps, request) : "";

/** Whether a trusted proxy names another user than this one. */
export const namesOther = (
  deps: Pick<Deps, "config">,
  request: Request,
  server: PeerSource,
  { usernameKey }: Pick<User, "usernameKey">,
): boolean => {
  if (deps.config.authHeader.name === "") return false;
  const named = namedUser(deps, request, server);
  return named !== "" && keyOf(named) !== usernameKey;
};

/**
 * The account of the user whom the proxy names, with the roles that their groups say. It is created at the first sign-in.
 * @throws {AppError} username_not_allowed
 */
export const accountOfHeader = async (
  deps: Pick<Deps, "db" | "clock" | "config" | "log">,
  request: Request,
  username: string,
  address: string,
): Promise<User> => {
  const { name: by, email, adminGroup, teams } = deps.config.authHeader;
  // A comma joins two headers: one of them is not the proxy's.
  if (username.length > LIMITS.username || username.includes(",") || !isUsernameAllowed(username))
    throw new AppError("username_not_allowed");
  const groups = headerOf(request, deps.config.authHeader.groups)
    .split(/[,|]/)
    .map((group) => group.trim());
  const role = roleOf(groups, adminGroup);
  const person = { username, email: headerOf(request, email) || null, isEmailVerified: true };
  const user =
    (await findUserByName(deps, username)) ??
    (await storeExternal(deps, person, { role: role ?? "first", address })) ??
    // Another request created the account at the same moment.
    (await findUserByName(deps, username));
  if (!user) throw new AppError("username_taken");
  const changed = await applyRole(deps, user, role, { by, address });
  await applyTeams(deps, changed, groups, { teams, by, address });
  return changed;
};
