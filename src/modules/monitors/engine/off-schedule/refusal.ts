import { AppError } from "../../../../core/errors";
import { LocalFailure } from "../../../../probe/local-failure";
import { RegistryUnavailable } from "../../../../probe/rdap/request";
import { CONDITION_WORDS } from "../../../../shared/monitor";

/** The error that the callers of a manual check or a probe get when it can't run. */
export const refusalOf = (error: unknown): Error => {
  if (error instanceof LocalFailure)
    return new AppError("hub_unavailable", { reason: CONDITION_WORDS[error.condition] });
  if (error instanceof RegistryUnavailable) return new AppError("registry_unavailable", { reason: error.message });
  return error instanceof Error ? error : new Error(String(error));
};
