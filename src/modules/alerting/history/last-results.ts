/** How the last message of each channel ended, or that one waits for another attempt. */
import type { Static } from "@sinclair/typebox";
import { sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { deliveries, events } from "../../../db/schema";
import { selectValues } from "../../../db/sql";
import { isoTime } from "../../../lib/time";
import { errorDetail, nullable, object, oneOf, text, time } from "../../../server/answers";
import { DELIVERY_ERROR_CODES, deliveryErrorText } from "../../../shared/notifications";
import { BUILT_IN_ID } from "../channels/registry";

export const lastResultField = nullable(
  object({
    state: oneOf("Whether it was sent or given up; `retrying` while a message waits for another attempt.", [
      "sent",
      "failed",
      "retrying",
    ]),
    at: time("When; of a message that is retried, when its next attempt is due."),
    error: nullable(text("Why it was not delivered, in English.", "503: no reason given"), null),
    error_code: nullable(oneOf("The cause, as a code that never changes.", DELIVERY_ERROR_CODES), null),
    error_detail: nullable(errorDetail(503, "status"), null),
  }),
);
type LastResult = Static<typeof lastResultField>;

/** The last results of channels by their ids; of the built-in one, of the messages of this team. */
export const readLastResults = async (
  { db }: Pick<Deps, "db">,
  teamId: number,
  channelIds: readonly number[],
): Promise<(channelId: number) => LastResult> => {
  if (channelIds.length === 0) return () => null;
  const rows = channelIds.map((id) => [id]);
  const isOfTeam = sql`exists (select 1 from ${events} as e where e.id = ended.event_id and e.team_id = ${teamId})`;
  const last = sql`(select ended.id from ${deliveries} as ended
    where ended.channel_id = c.id and ended.state in ('sent', 'failed') and (c.id <> ${BUILT_IN_ID} or ${isOfTeam})
    order by ended.ended_at desc, ended.id desc limit 1)`;
  const retried = sql`(select waiting.id from ${deliveries} as waiting
    where waiting.channel_id = c.id and waiting.next_attempt_at is not null and waiting.attempts > 0
      and (c.id <> ${BUILT_IN_ID} or exists (select 1 from ${events} as e where e.id = waiting.event_id and e.team_id = ${teamId}))
    order by waiting.next_attempt_at limit 1)`;
  const found = await db
    .select()
    .from(deliveries)
    .where(
      sql`${deliveries.id} in (select coalesce(${retried}, ${last}) from (${selectValues({ id: "bigint" }, rows)}) as c)`,
    );
  const byChannel = new Map(found.map((row) => [row.channelId, row]));
  return (channelId) => {
    const row = byChannel.get(channelId);
    const at = row?.endedAt ?? row?.nextAttemptAt ?? null;
    if (!row || at === null || row.state === "withheld") return null;
    const { state, errorCode: code, errorDetail: detail } = row;
    return {
      state: state === "pending" ? "retrying" : state,
      at: isoTime(at),
      error: code && deliveryErrorText({ code, detail }, "en-US"),
      error_code: code,
      error_detail: detail,
    };
  };
};
