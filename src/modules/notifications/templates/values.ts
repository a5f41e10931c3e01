import { durationIn } from "../../../shared/language";
/** What the variables of templates stand for in the message of an event. */

import { checkErrorText, storedError } from "../../../shared/check-error";
import { figureUnitOf, isClosing, metricOf, outageKindOf } from "../../../shared/notifications";
import type { TemplateValue, TemplateValues } from "../../../shared/template/variables";
import { incidentKey, severityOf } from "../channels/kind";
import type { Message } from "../channels/text";
import { causeLine } from "../messages/cause";
import {
  addressOf,
  dateIn,
  figureIn,
  MAX_ADDRESS,
  MAX_ERROR,
  machinesIn,
  oneLine,
  processesIn,
  type Reader,
  stateIn,
  timeIn,
  writtenDate,
} from "../messages/format";
import { hasReason, type MessageSubject } from "../messages/message";
import { WORDS } from "../messages/words";

const MAX_MESSAGE = 4000;

const text = (value: string | null | undefined): TemplateValue | undefined => (value ? { text: value } : undefined);

/** The values of all variables: user input is one line, as in built-in messages. `message` is the built-in one. */
export const valuesOf = (
  { event, target = null, cause = null }: MessageSubject,
  { title, lines, link, action }: Message,
  reader: Reader,
): TemplateValues => {
  const { kind, targetType, targetId, targetName, at, since, figure, threshold, mount, subject, facts } = event;
  const { language } = reader;
  const error = hasReason(kind) ? storedError(event) : null;
  const address = target === null ? null : addressOf(target);
  const closing = isClosing(kind);
  const time = (value: number | null): TemplateValue | undefined =>
    value === null ? undefined : { text: timeIn(reader, value), at: value };
  const unit = figureUnitOf(outageKindOf(kind));
  const measured = (value: number | null): TemplateValue | undefined =>
    value === null ? undefined : { text: figureIn(language, unit, value), number: value };
  const exhausted = facts?.exhausted_at && !closing ? Date.parse(facts.exhausted_at) : null;
  const lasted = closing && since !== null ? at - since : null;
  return {
    name: text(oneLine(targetName)),
    status: text(WORDS[language].status[kind]),
    error: text(error && oneLine(checkErrorText(error, language), MAX_ERROR)),
    cause: text(cause && kind === "down" ? causeLine(cause, reader) : null),
    address: text(address && oneLine(address, MAX_ADDRESS)),
    time: time(at),
    since: time(closing ? since : at),
    duration: lasted === null ? undefined : { text: durationIn(language, lasted), number: Math.round(lasted / 1000) },
    last_report: kind === "offline" ? time(since) : undefined,
    figure: measured(figure),
    threshold: measured(threshold),
    mount: text(mount && oneLine(mount)),
    subject: text(facts?.machines && !closing ? machinesIn(language, facts.machines) : oneLine(subject)),
    state: text(facts?.state && stateIn(language, facts.state)),
    processes: text(closing ? null : processesIn(language, metricOf(kind), facts?.processes)),
    exhausted_at: exhausted ? { text: dateIn(reader, exhausted), at: exhausted } : undefined,
    ends_on: text(facts?.ends_on && writtenDate(language, facts.ends_on)),
    title: text(title),
    message: text(lines.join("\n").slice(0, MAX_MESSAGE).toWellFormed()),
    link: text(link),
    acknowledge_link: text(action?.url),
    event: text(kind),
    severity: text(severityOf({ event })),
    type: text(targetType === "monitor" ? "monitor" : "server"),
    id: { text: String(targetId), number: targetId },
    error_code: text(error?.code),
    key: text(incidentKey({ event, link })),
  };
};
