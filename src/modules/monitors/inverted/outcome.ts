/** Inverted monitors: they are up while their check fails, and down when it succeeds. */
import type { Outcome } from "../../../probe/outcome";
import { type CheckErrorCode, checkError } from "../../../shared/check-error";
import type { Config } from "../kinds/kind";

/** Failures that leave open whether the target works: refusals by the settings, and answers beyond the limits of the hub. */
const UNDECIDED: readonly CheckErrorCode[] = [
  "blocked_private",
  "blocked_by_setting",
  "body_unreadable",
  "body_too_large",
  "json_too_large",
];

/** Why a manual check has no result whose failure would count as up. */
export const UNPROVEN = "its network is not known to work";

export const isInverted = ({ inverted }: Config): boolean => inverted === true;

/** Whether the outcome of a check is a failure that counts as up. */
export const isExpectedFailure = ({ up, error }: Pick<Outcome, "up" | "error">, config: Config): boolean =>
  isInverted(config) && !up && !(error && UNDECIDED.includes(error.code));

/**
 * The outcome that counts of a check, whose own outcome is `found`. A failure that counts as up has no error, and is not slow.
 * Lost packets stay lost.
 */
export const countedOutcome = <Found extends Outcome>(found: Found, config: Config): Found => {
  if (isExpectedFailure(found, config)) return { ...found, up: true, error: null, slow: undefined };
  const isUnexpected = isInverted(config) && found.up;
  return isUnexpected ? { ...found, up: false, error: checkError("unexpected_success"), slow: undefined } : found;
};
