import { DAY, SECOND } from "../limits";
import { describeKind } from "./field";

const LONGEST = (366 * DAY) / SECOND;
export const CRON_LENGTH = 100;
export const ZONE_LENGTH = 64;
export const CRON_EXPECTED =
  "expected a cron expression of five fields (minute, hour, day, month, weekday) or a name such as @daily; seconds, L, W and # are not supported";

const LONGEST_SLUG = 100;

/**
 * Whether a text may be a slug: letters, digits, hyphens and underscores, as in healthchecks. In a ping URL with a token, a
 * number or one of four words in its place is an action.
 */
export const isSlug = (text: string): boolean =>
  /^[\w-]+$/.test(text) && text.length <= LONGEST_SLUG && !/^(\d+|start|fail|log|mute)$/.test(text);

const GRACE = "Seconds by which a ping may be late, and for which a run may last after its start.";

const UNITS: readonly [seconds: number, unit: string][] = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"],
  [1, "s"],
];

const lengthText = (seconds: number): string => {
  const [length, unit] = UNITS.find(([length]) => seconds % length === 0) ?? [1, "s"];
  return `${seconds / length} ${unit}`;
};

const seconds = { type: "number", max: LONGEST, unit: " seconds" } as const;

/** A job that reports its runs: `every` n seconds, or by `cron` in time zone `tz`. */
export const heartbeat = describeKind({
  kind: "heartbeat",
  passive: true,
  fields: [
    {
      ...seconds,
      name: "every",
      min: 60,
      about: "Seconds between pings: 60 to 31,622,400. Either this or `cron`.",
      example: 86_400,
      label: "kinds.heartbeat.every",
    },
    {
      name: "cron",
      type: "text",
      maxLength: CRON_LENGTH,
      expected: CRON_EXPECTED.replace("expected ", ""),
      about: "When pings are expected: a cron expression of five fields, or a name such as @daily.",
      example: "0 3 * * *",
      rare: true,
      label: "kinds.heartbeat.cron",
    },
    {
      name: "tz",
      type: "text",
      maxLength: ZONE_LENGTH,
      expected: "a time zone",
      about: "The time zone of `cron`; UTC by default.",
      example: "Europe/Berlin",
      rare: true,
      label: "kinds.heartbeat.tz",
    },
    {
      ...seconds,
      name: "grace",
      min: 1,
      default: 300,
      about: GRACE,
      accepts: `${GRACE} 300 by default.`,
      example: 3600,
      label: "kinds.heartbeat.grace",
    },
    {
      name: "post_only",
      type: "switch",
      default: false,
      about: "Whether pings count only when they are sent by POST, so that link previews send none.",
      example: false,
      rare: true,
      label: "kinds.heartbeat.postOnly",
      hint: "kinds.heartbeat.postOnlyHint",
    },
    {
      name: "slug",
      type: "text",
      maxLength: LONGEST_SLUG,
      isValid: (text) => text === "" || isSlug(text),
      expected: `at most ${LONGEST_SLUG} letters, digits, hyphens and underscores, not a number, start, fail, log or mute`,
      about: "Its name in ping URLs with a ping key, `/ping/KEY/SLUG`, unique in its team; empty for none.",
      example: "nightly-backup",
      rare: true,
      label: "kinds.heartbeat.slug",
      hint: "kinds.heartbeat.slugHint",
    },
  ],
  form: { target: ["every"], settings: ["post_only", "slug"] },
  response: "kinds.heartbeat.duration",
  target: ({ every, cron, tz }) => (every === undefined ? `${cron} ${tz}` : lengthText(every)),
});
