import type { Static } from "@sinclair/typebox";
import { boolean, component, id, oneOf, text } from "../../../server/answers";
import { LANGUAGES } from "../../../shared/language";
import { EVENT_KINDS, type EventKind } from "../../../shared/notifications";
import { type AlertEvent, messageOf } from "./message";

/** An example event of each kind, for message previews. */
const EXAMPLES: { kind: EventKind; facts: Partial<AlertEvent> }[] = [
  { kind: "down", facts: { errorCode: "status", errorDetail: { actual: 503, expected: 200 } } },
  { kind: "recovery", facts: { since: -125_000 } },
  { kind: "offline", facts: { since: -180_000 } },
  { kind: "online", facts: { since: -600_000 } },
  { kind: "cpu_high", facts: { figure: 96.5, threshold: 90 } },
  { kind: "memory_high", facts: { figure: 88.1, threshold: 85 } },
  { kind: "disk_high", facts: { figure: 93.2, threshold: 90, mount: "/var" } },
  { kind: "disk_normal", facts: { figure: 81, threshold: 90, mount: "/var", since: -5_400_000 } },
];

export const Template = component("Template", {
  id: id("The template's number.", 9),
  name: oneOf("The event it is for.", EVENT_KINDS),
  type: oneOf("Its language.", LANGUAGES, "en-US"),
  subject: text("The first line.", "Down: Shop"),
  content: text("The rest.", "status 503, expected 200"),
  is_default: boolean("Always true: templates can't be changed.", true),
});

/** The built-in messages in all languages with example events at `now`. */
export const listTemplates = (now: number, base: string, timeZone: string | null): Static<typeof Template>[] =>
  LANGUAGES.flatMap((language, place) =>
    EXAMPLES.map(({ kind, facts }, index) => {
      const agent = !["down", "recovery"].includes(kind);
      const event: AlertEvent = {
        id: 0,
        userId: 0,
        kind,
        targetType: agent ? "agent" : "monitor",
        targetId: 1,
        targetName: agent ? "web-1" : "Shop",
        at: now,
        errorCode: null,
        errorDetail: null,
        figure: null,
        threshold: null,
        mount: null,
        ...facts,
        since: facts.since ? now + facts.since : null,
      };
      const { title, lines, link } = messageOf(
        { event, target: agent ? null : "https://shop.example.com/health" },
        { language, timeZone },
        base,
      );
      const content = [...lines, ...(link ? [link] : [])].join("\n");
      return {
        id: place * EXAMPLES.length + index + 1,
        name: kind,
        type: language,
        subject: title,
        content,
        is_default: true,
      };
    }),
  );
