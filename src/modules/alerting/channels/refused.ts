import { and, desc, eq, inArray, isNotNull } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { channels } from "../../../db/schema";
import type { DeliveryError } from "../../../shared/notifications";

/** The kinds of channels that send mail. */
const MAIL = ["smtp", "resend"];

/** The enabled channels of all users: how many send mail, and how many are refused by their provider. */
export const readRefused = async ({ db }: Pick<Deps, "db">) => {
  const isMail = and(eq(channels.enabled, true), inArray(channels.type, MAIL));
  const isRefused = and(eq(channels.enabled, true), isNotNull(channels.problemCode));
  const [last] = await db
    .select({ code: channels.problemCode, detail: channels.problemDetail })
    .from(channels)
    .where(and(isMail, isRefused))
    .orderBy(desc(channels.id))
    .limit(1);
  return {
    refused: await db.$count(channels, isRefused),
    mail: await db.$count(channels, isMail),
    mailError: (last as DeliveryError | undefined) ?? null,
  };
};
