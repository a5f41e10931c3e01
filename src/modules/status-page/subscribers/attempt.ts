import type { Deps } from "../../../core/deps";
import { describeError } from "../../../core/errors";
import { SECOND } from "../../../shared/limits";
import { createMailPool, type MailPool } from "../../alerting/channels/kinds/mail/pool";
import { connectForHub } from "../../alerting/channels/send";
import type { Composer } from "./compose";
import { type Ended, type Notice, OF_USE } from "./queue";

/** How long no mail is sent after the mail server could not be used. */
const SERVER_PAUSE = 30 * SECOND;

/** Makes attempts to send messages. Mails share the connections to the mail server of the hub. */
export const createAttempts = (deps: Deps) => {
  const { clock, log, config } = deps;
  let pool: Promise<MailPool> | null = null;
  let mailsAt = 0;

  const openPool = (): Promise<MailPool> => {
    pool ??= createMailPool({
      server: config.mail ?? {},
      publicUrl: config.publicUrl,
      connect: (hostname, port) => connectForHub(deps, hostname, port),
    });
    return pool;
  };

  const make = async (notice: Notice, composer: Composer): Promise<Ended> => {
    try {
      const composed = await composer(notice);
      if (!composed) {
        // A webhook that did not answer for a day counts as a refusal.
        const isSilent = notice.channel === "webhook" && notice.attempts > 0 && clock.now() - notice.createdAt > OF_USE;
        return { notice, outcome: isSilent ? "bounced" : "dropped" };
      }
      if (composed.channel === "webhook") {
        const result = await composed.post();
        if (result.sent) return { notice, outcome: "sent" };
        log.debug("a webhook of a subscriber failed", { notice: notice.id, error: describeError(result.error) });
        const { refused, retryAfter } = result;
        return { notice, outcome: refused ? "bounced" : "later", ...(retryAfter !== undefined && { retryAfter }) };
      }
      const { state, reply } = await (await openPool()).send(composed.mail);
      if (state === "sent") return { notice, outcome: "sent" };
      if (state === "unavailable") {
        if (clock.now() >= mailsAt) log.warn("the mail server took no mail for subscribers, will retry", { reply });
        mailsAt = clock.now() + SERVER_PAUSE;
        return { notice, outcome: "postponed" };
      }
      log.debug("a mail to a subscriber failed", { notice: notice.id, state, reply });
      return { notice, outcome: state === "bounced" ? "bounced" : state === "refused" ? "dropped" : "later" };
    } catch (error) {
      log.error("a message to a subscriber failed to start, will retry", { error: describeError(error) });
      return { notice, outcome: "postponed" };
    }
  };

  return {
    /** Sends a message, and returns how that ended. */
    make,
    /** Whether mails can be sent now. */
    canMail: (): boolean => config.mail !== null && clock.now() >= mailsAt,
    close: async (): Promise<void> => (await pool)?.close(),
  };
};
