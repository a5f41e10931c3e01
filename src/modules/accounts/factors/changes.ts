import type { Deps } from "../../../core/deps";
import { list, text } from "../../../server/answers";
import type { User } from "../account/service";
import { queueMail } from "../mail/send";
import { recordUserAction } from "../security-log";

const EXAMPLE = "K7Q2M-9XHTB-4RWPD-V3CYN-6ZJSA";

/** Recovery codes in an answer. */
export const recoveryCodes = (description: string) => list(text("A code.", EXAMPLE), description, [EXAMPLE]);

/** The recovery codes that come with the first second factor. */
export const codesOfFirst = recoveryCodes("New recovery codes, shown only now; empty when earlier ones are left.");

type Context = Parameters<typeof recordUserAction>[1] & { user: User };

/** Records a change of second factors, and tells its user by mail. */
export const recordChange = async (
  deps: Deps,
  context: Context,
  ...event: [Parameters<typeof recordUserAction>[2], string?]
): Promise<void> => {
  await recordUserAction(deps, context, ...event);
  await queueMail(deps, context.user, "factors_changed");
};
