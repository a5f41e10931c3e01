/** The values of an event that its message and templates show, in the language and time zone of the reader. */
import { checkErrorText, storedError } from "../../../shared/check-error";
import { durationIn, type Language } from "../../../shared/language";
import { SECOND } from "../../../shared/limits";
import {
  type EventKind,
  figureUnitOf,
  isClosing,
  metricOf,
  type OutageCause,
  outageKindOf,
  targetTypeOf,
} from "../../../shared/notifications";
import { forEvent } from "../../../shared/outages/words";
import type { TemplateValue, TemplateValues } from "../../../shared/template/variables";
import { causeLine } from "./cause";
import {
  addressOf,
  dateIn,
  durationBetween,
  figureIn,
  MAX_ADDRESS,
  MAX_ERROR,
  machinesIn,
  oneLine,
  processesIn,
  type Reader,
  startIn,
  stateIn,
  timeIn,
  writtenDate,
} from "./format";
import type { AlertEvent } from "./message";
import { WORDS } from "./words";

/** Whether an event has a reason, such as the error of a check. */
export const hasReason = (kind: EventKind): boolean => targetTypeOf(kind) === "monitor" && !isClosing(kind);

export const textValue = (value: string | null | undefined): TemplateValue | undefined =>
  value ? { text: value } : undefined;

/** By how much the clock of a server is wrong, from seconds: "1 hour ahead". */
const clockOffset = (seconds: number, language: Language): TemplateValue => {
  const duration = durationIn(language, Math.abs(seconds) * SECOND);
  return { text: WORDS[language].clock[seconds > 0 ? "ahead" : "behind"](duration), number: seconds };
};

/** User input is one line. */
export const eventValues = (
  { event, target = null, cause = null }: { event: AlertEvent; target?: string | null; cause?: OutageCause | null },
  reader: Reader,
) => {
  const { kind, targetName, at, since, startedAfter = null, figure, threshold, mount, subject, facts } = event;
  const { language } = reader;
  const [closing, outage] = [isClosing(kind), outageKindOf(kind)];
  const error = hasReason(kind) ? storedError(event) : null;
  const address = target === null ? null : addressOf(target);
  const time = (value: number | null): TemplateValue | undefined =>
    value === null ? undefined : { text: timeIn(reader, value), at: value };
  const measured = (value: number | null): TemplateValue | undefined =>
    value === null ? undefined : { text: figureIn(language, figureUnitOf(outage), value), number: value };
  const exhausted = facts?.exhausted_at && !closing ? Date.parse(facts.exhausted_at) : null;
  const gap = facts?.gap;
  const isOver = closing || gap !== undefined;
  /** When the outage began. */
  const start = (value: number) => ({ text: startIn(reader, value, startedAfter), at: value });
  const most = at - (startedAfter ?? since ?? at);
  const lasted = (isOver || kind === "offline") && since !== null ? at - since : null;
  return {
    name: textValue(oneLine(targetName)),
    status: textValue(forEvent(WORDS[language].kinds[outage].status, kind)),
    error: textValue(
      gap ? WORDS[language].gaps[gap.reason] : error && oneLine(checkErrorText(error, language), MAX_ERROR),
    ),
    cause: textValue(cause && kind === "down" ? causeLine(cause, reader) : null),
    address: textValue(address && oneLine(address, MAX_ADDRESS)),
    time: isOver ? time(at) : start(at),
    since: isOver ? (since === null ? undefined : start(since)) : start(at),
    duration:
      lasted === null
        ? undefined
        : { text: durationBetween(language, lasted, most), number: Math.round(lasted / 1000) },
    last_report: kind === "offline" ? time(since) : undefined,
    restarted_at: time(facts?.restarted_at ? Date.parse(facts.restarted_at) : null),
    clock_offset: facts?.clock_offset ? clockOffset(facts.clock_offset, language) : undefined,
    figure: measured(figure),
    threshold: measured(threshold),
    mount: textValue(mount && oneLine(mount)),
    subject: textValue(facts?.machines && !closing ? machinesIn(language, facts.machines) : oneLine(subject)),
    state: textValue(gap ? WORDS[language].unwatched(gap) : facts?.state && stateIn(language, facts.state)),
    processes: textValue(closing ? null : processesIn(language, metricOf(kind), facts?.processes)),
    exhausted_at: exhausted ? { text: dateIn(reader, exhausted), at: exhausted } : undefined,
    ends_on: textValue(facts?.ends_on && writtenDate(language, facts.ends_on)),
    error_code: textValue(error?.code),
  } satisfies TemplateValues;
};
