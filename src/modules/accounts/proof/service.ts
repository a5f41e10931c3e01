import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import { MINUTE } from "../../../shared/limits";
import type { User } from "../account/service";
import { clientAddress } from "../client-address";
import { recordUserAction } from "../security-log";
import { confirmPassword } from "../sign-in/sign-in";

/*
 * What a stolen session must not be enough for asks for a proof of the last ten minutes that it is the user: the sign-in itself, the
 * password or a second factor.
 */

/** How long a proof counts (ms). */
export const FRESH = 10 * MINUTE;

/** Whether the user of a session has proved within that time that it is them; `provedAt` is when they did so last. */
export const isProved = ({ clock }: Pick<Deps, "clock">, provedAt: number | null): boolean => {
  const age = clock.now() - (provedAt ?? Number.NEGATIVE_INFINITY);
  return age >= 0 && age < FRESH;
};

/** @throws {AppError} proof_required */
export const assertProved = (deps: Pick<Deps, "clock">, provedAt: number | null): void => {
  if (!isProved(deps, provedAt)) throw new AppError("proof_required");
};

/**
 * Asserts that this is the current password of the caller, and records a wrong one in the security log.
 * @throws {AppError} wrong_password, rate_limited
 */
export const assertOwnPassword = async (
  deps: Deps,
  context: Parameters<typeof recordUserAction>[1] & { user: User },
  password: string,
): Promise<void> => {
  const address = clientAddress(deps, context.request, context.server);
  if (await confirmPassword(deps, context.user, password, address)) return;
  await recordUserAction(deps, context, "wrong_password");
  throw new AppError("wrong_password");
};
