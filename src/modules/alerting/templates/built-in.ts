/** The built-in messages as templates, and the example events that previews show. */
import type { Static } from "@sinclair/typebox";
import { boolean, component, id, oneOf, text } from "../../../server/answers";
import { LANGUAGES, type Language } from "../../../shared/language";
import { EVENT_KINDS, type EventKind, exampleEvent, targetTypeOf } from "../../../shared/notifications";
import type { Reader } from "../messages/format";
import { type AlertEvent, builtInTexts, type MessageSubject, messageOf } from "../messages/message";

/** The example event of a kind at `now`. */
export const exampleOf = (kind: EventKind, now: number): MessageSubject => {
  const isMonitors = targetTypeOf(kind) === "monitor";
  const { ago, ...facts } = exampleEvent(kind);
  const event: AlertEvent = {
    id: 0,
    userId: 0,
    teamId: 0,
    kind,
    targetType: isMonitors ? "monitor" : "agent",
    targetId: 1,
    targetName: isMonitors ? "Shop" : "web-1",
    at: now,
    errorCode: null,
    errorDetail: null,
    figure: null,
    threshold: null,
    mount: null,
    subject: "",
    facts: null,
    ...facts,
    since: ago === undefined ? null : now - ago,
  };
  const cause = { kind: "agent_silent", agentId: 1, name: "web-1", at: now - 60_000 } as const;
  return { event, target: isMonitors ? "https://shop.example.com/health" : null, cause };
};

/** The template that gives the built-in message of a kind, as a start for changes. */
export const builtInTemplate = (kind: EventKind, language: Language): { title: string; body: string } => {
  const { title, lines } = builtInTexts(kind, language);
  return { title, body: lines.join("\n") };
};

export const Template = component("Template", {
  id: id("The template's number.", 9),
  name: oneOf("The event it is for.", EVENT_KINDS),
  type: oneOf("Its language.", LANGUAGES, "en-US"),
  subject: text("The first line of an example.", "🔴 Shop is down"),
  content: text("The rest of the example.", "Reason: status 503, expected 200"),
  is_default: boolean("Always true: it is built in.", true),
  title: text("The template of the first line.", "🔴 {{name}} is down"),
  body: text("The template of the rest, to which the link is added.", "Reason: {{error}}"),
});

/** The built-in messages in all languages, with example events at `now`. */
export const listTemplates = (now: number, base: string, timeZone: Reader["timeZone"]): Static<typeof Template>[] =>
  LANGUAGES.flatMap((language, place) =>
    EVENT_KINDS.map((kind, index) => {
      const { title, lines, link } = messageOf(exampleOf(kind, now), { language, timeZone }, base);
      return {
        id: place * EVENT_KINDS.length + index + 1,
        name: kind,
        type: language,
        subject: title,
        content: [...lines, ...(link ? [link] : [])].join("\n"),
        is_default: true,
        ...builtInTemplate(kind, language),
      };
    }),
  );
