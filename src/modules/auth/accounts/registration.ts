import type { Static } from "@sinclair/typebox";
import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import { readSetting, writeSetting } from "../../../db/app-settings";
import { boolean, object } from "../../../server/answers";
import { networksOf } from "../client-address";
import { assertNotRefused, registrationLimits } from "../sign-in/rate-limit";
import { assertSetupCode, isUnclaimed } from "./first-account";
import { createAccount, type NewAccount, type User } from "./service";

/** Whether REGISTRATION=closed keeps registration closed, regardless of the administrators' setting. */
const isFixed = ({ config }: Pick<Deps, "config">) => config.registration === "closed";

export const RegistrationState = object({
  open: boolean("Whether new accounts can be registered.", true),
  fixed: boolean("Whether REGISTRATION=closed in the environment keeps registration closed.", false),
  first: boolean(
    "Whether the next account becomes the administrator. True only for callers who need no setup code for it.",
    false,
  ),
});

/**
 * Whether registration is open, whether the environment fixes that, and whether the next account is the first one. The
 * last is true only for callers who may create it without the setup code.
 */
export const registrationState = async (deps: Deps, local: boolean): Promise<Static<typeof RegistrationState>> => {
  const fixed = isFixed(deps);
  const open = !fixed && (await readSetting(deps.db, "registration")) !== "closed";
  return { open, fixed, first: open && local && (await isUnclaimed(deps)) };
};

const closed = () => new AppError("registration_closed");

type Caller = { address: string; local: boolean; setupCode: string };

/**
 * Creates an account for a caller without a session. The first account becomes the administrator; callers who are not
 * local need the setup code for it, and with REGISTRATION=closed all callers do.
 * @throws {AppError} registration_closed, setup_code_required, setup_code_wrong, username_taken, email_taken, rate_limited
 */
export const register = async (
  deps: Deps,
  account: NewAccount,
  { address, local, setupCode }: Caller,
): Promise<User> => {
  const { open } = await registrationState(deps, local);
  const claims = await isUnclaimed(deps);
  if (!open && !(claims && setupCode)) throw closed();
  if (claims && !(open && local)) await assertSetupCode(deps, setupCode, address);
  const { all, widest } = networksOf(address);
  const limits = registrationLimits(all);
  assertNotRefused(deps, limits);
  return createAccount(deps, { ...account, role: claims ? "first" : "user" }, { network: widest, limits });
};

/**
 * Opens or closes registration.
 * @throws {AppError} registration_fixed when REGISTRATION=closed keeps it closed
 */
export const setRegistration = async (deps: Pick<Deps, "db" | "config">, open: boolean): Promise<void> => {
  if (open && isFixed(deps)) throw new AppError("registration_fixed");
  await writeSetting(deps.db, "registration", open ? "open" : "closed");
};
