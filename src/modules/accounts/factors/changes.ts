import type { Deps } from "../../../core/deps";
import { list, text } from "../../../server/answers";
import type { User } from "../account/service";
import { queueMail } from "../mail/send";
import { recordUserAction } from "../security-log";
import { renewSession } from "../sessions/service";

const EXAMPLE = "K7Q2M-9XHTB-4RWPD-V3CYN-6ZJSA";

/** Recovery codes in an answer. */
export const recoveryCodes = (description: string) => list(text("A code.", EXAMPLE), description, [EXAMPLE]);

/** The recovery codes that come with the first second factor. */
export const codesOfFirst = recoveryCodes("New recovery codes, shown only now; empty when earlier ones are left.");

type Context = Parameters<typeof recordUserAction>[1] & {
  user: User;
  sessionId: string;
  session: { sign: (claims: Awaited<ReturnType<typeof renewSession>>) => Promise<string> };
};

/** Records a change of second factors, tells its user by mail, and returns a new token for the session. */
export const completeChange = async (
  deps: Deps,
  { user, sessionId, session, ...call }: Context,
  ...event: [Parameters<typeof recordUserAction>[2], string?]
): Promise<string> => {
  await recordUserAction(deps, { user, ...call }, ...event);
  await queueMail(deps, user, "factors_changed");
  return session.sign(await renewSession(deps, user, sessionId));
};
