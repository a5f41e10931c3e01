/** Finds the template of a message and renders the message by it. */
import { and, eq, isNull, or, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { describeError } from "../../../core/errors";
import { ownedBy } from "../../../db/owner";
import { messageTemplates } from "../../../db/schema";
import type { DeliveryPurpose } from "../../../shared/notifications";
import { renderLines, renderTemplate } from "../../../shared/template/template";
import type { TemplateValues } from "../../../shared/template/variables";
import type { MessageContext } from "../channels/kind";
import type { Message } from "../channels/text";
import { oneLine, type Reader, zoneOf } from "../messages/format";
import { type MessageSubject, testMessage } from "../messages/message";
import { exampleOf } from "./built-in";
import { valuesOf } from "./values";

type Texts = { title: string; body: string };

/** Characters of a rendered title and of all lines of a message. Channel kinds have limits of their own. */
const [MAX_TITLE, MAX_TEXT] = [300, 10_000];
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not get through.
const UNWANTED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** A message by a template. Without a title it has the built-in one. */
export const renderMessageBy = (
  { title, body }: Texts,
  builtIn: Message,
  values: TemplateValues,
  timeZone: string,
): Message => {
  const lines = renderLines(body, values, timeZone).join("\n").slice(0, MAX_TEXT).toWellFormed().split("\n");
  return {
    ...builtIn,
    title: oneLine(renderTemplate(title, values, timeZone), MAX_TITLE) || builtIn.title,
    lines: lines.map((line) => line.replace(UNWANTED, " ").trimEnd()),
  };
};

/** The template of a user for a channel and a kind of event: one for both, for the channel, for the event, or for all. */
const findTemplate = async (
  { db }: Pick<Deps, "db">,
  { teamId, channelId }: { teamId: number; channelId: number },
  { event: { kind } }: MessageSubject,
): Promise<Texts | undefined> => {
  const { title, body, channelId: channel, event } = messageTemplates;
  const [row] = await db
    .select({ title, body })
    .from(messageTemplates)
    .where(
      and(
        ownedBy(messageTemplates, teamId),
        or(isNull(channel), eq(channel, channelId)),
        or(isNull(event), eq(event, kind)),
      ),
    )
    .orderBy(sql`case when ${channel} is null then 1 else 0 end, case when ${event} is null then 1 else 0 end`)
    .limit(1);
  return row;
};

/** Whose message goes where, why, and who reads it. */
type Place = { teamId: number; channelId: number; purpose: DeliveryPurpose; reader: Reader };

const templated = async (
  deps: Pick<Deps, "db" | "log">,
  place: Place,
  subject: MessageSubject,
  builtIn: Message,
): Promise<Message> => {
  if (subject.event.drill || (place.purpose !== "alert" && place.purpose !== "reminder")) return builtIn;
  const template = await findTemplate(deps, place, subject);
  if (!template) return builtIn;
  try {
    return renderMessageBy(template, builtIn, valuesOf(subject, builtIn, place.reader), zoneOf(place.reader));
  } catch (error) {
    const { teamId, channelId } = place;
    deps.log.warn("template failed, the built-in message is sent", { teamId, channelId, error: describeError(error) });
    return builtIn;
  }
};

/**
 * A message as it is sent: by the template of its user, channel and kind of event where there is one. Drills, and messages
 * that are neither an alert nor a reminder, have the built-in text.
 */
export const applyTemplate = async (
  deps: Pick<Deps, "db" | "log">,
  place: Place,
  subject: MessageSubject,
  builtIn: Message & MessageContext,
): Promise<Message & MessageContext> => ({
  ...builtIn,
  ...(await templated(deps, place, subject, builtIn)),
  fill: (template) => renderTemplate(template, valuesOf(subject, builtIn, place.reader), zoneOf(place.reader)),
});

/** The test message that is sent at `now`. Templates of webhooks get the values of an example. */
export const composeTest = (reader: Reader, base: string, now: number): Message & MessageContext => {
  const message = testMessage(reader, base, now);
  const subject = exampleOf("down", now);
  const fill = (template: string) => {
    const values = { ...valuesOf(subject, message, reader), event: { text: "test" }, severity: { text: "info" } };
    return renderTemplate(template, values, zoneOf(reader));
  };
  return { ...message, event: null, language: reader.language, fill };
};
