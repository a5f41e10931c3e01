import type { TemplateValues } from "../../../shared/template/variables";
import { incidentKey, severityOf } from "../channels/kind";
import type { Message } from "../channels/text";
import type { Reader } from "../messages/format";
import type { MessageSubject } from "../messages/message";
import { eventValues, textValue } from "../messages/values";

const MAX_MESSAGE = 4000;

/** The values of all variables of templates. `message` is the built-in one. */
export const valuesOf = (
  subject: MessageSubject,
  { title, lines, link, action }: Message,
  reader: Reader,
): TemplateValues => {
  const { event } = subject;
  return {
    ...eventValues(subject, reader),
    title: textValue(title),
    message: textValue(lines.join("\n").slice(0, MAX_MESSAGE).toWellFormed()),
    link: textValue(link),
    acknowledge_link: textValue(action?.url),
    event: textValue(event.kind),
    severity: textValue(severityOf({ event })),
    type: textValue(event.targetType === "monitor" ? "monitor" : "server"),
    id: { text: String(event.targetId), number: event.targetId },
    key: textValue(incidentKey({ event, link })),
  };
};
