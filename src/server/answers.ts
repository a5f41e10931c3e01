import { type Static, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import type { DocumentDecoration } from "elysia";
import type { ErrorCode } from "../core/errors";
import { isoTime, isoTimeOrNull } from "../lib/time";
import { LINK_KINDS } from "../shared/accounts/teams";
import { CHECK_ERROR_CODES, type CheckErrorCode } from "../shared/check-error";
import { HUB_GAP_REASONS, type HubGapReason, UNKNOWN_REASONS, type UnknownReason } from "../shared/outages/unknown";

/*
 * What the API document says about answers and routes. Schemas of answers type the presenters; answers are not validated
 * by them at run time. Each builder of a schema takes the meaning of the field and an example.
 */

type Bounds = { minimum?: number; maximum?: number; format?: string };

export const text = (description: string, example: string, bounds: Bounds = {}) =>
  Type.String({ description, ...bounds, examples: [example] });
export const integer = (description: string, example: number, bounds: Bounds = {}) =>
  Type.Integer({ description, ...bounds, examples: [example] });
export const number = (description: string, example: number, bounds: Bounds = {}) =>
  Type.Number({ description, ...bounds, examples: [example] });
export const boolean = (description: string, example: boolean) => Type.Boolean({ description, examples: [example] });

/** A time in ISO 8601, UTC. */
export const time = (description: string, example = "2026-01-15T12:20:00.000Z") =>
  text(description, example, { format: "date-time" });

/** The id of a row. */
export const id = (description: string, example = 7) => integer(description, example, { minimum: 1 });

export const oneOf = <const Word extends string>(description: string, words: readonly Word[], example?: Word) =>
  Type.Unsafe<Word>({ type: "string", description, enum: words, examples: [example ?? words[0]] });

/** A value or null. `example` is null for a field that is usually null. */
export const nullable = <Schema extends TSchema>(schema: Schema, example?: null) =>
  Type.Union([schema, Type.Null()], example === null ? { examples: [null] } : {});

export const list = <Schema extends TSchema>(items: Schema, description?: string, example?: Static<Schema>[]) =>
  Type.Array(items, { ...(description && { description }), ...(example && { examples: [example] }) });

/** An object with arbitrary names, such as ids; `exampleKey` is one of them. */
export const record = <Schema extends TSchema>(values: Schema, description: string, exampleKey: string) =>
  Type.Record(Type.String(), values, { description, exampleKey });

/** Why a check failed, as a code that never changes. The API document has the codes once, under a name of their own. */
const CheckErrorCodes = Type.Unsafe<CheckErrorCode>({
  $id: "CheckErrorCode",
  type: "string",
  enum: CHECK_ERROR_CODES,
  examples: [CHECK_ERROR_CODES[0]],
});

/** Why a check failed, or null. `example` is null for a field that is usually null. */
export const checkErrorCode = (description: string, example?: null) =>
  Type.Union([CheckErrorCodes, Type.Null()], { description, ...(example === null && { examples: [null] }) });

/** The parameters of an error code's text; `exampleKey` is one of them. */
export const errorDetail = (example: string | number, exampleKey: string) =>
  record(
    Type.Union([Type.String(), Type.Number()], { examples: [example] }),
    "The parameters of the cause, by name. Of a `timeout`, `phase` is what the check waited for: `dns`, `connect`, `tls`, `first_byte` or `download`.",
    exampleKey,
  );

export const object = <Fields extends TProperties>(fields: Fields) => Type.Object(fields);

/** Where the time of a request went: milliseconds of each part. */
export const phases = object({
  dns: number("Name resolution.", 3.1),
  connect: number("The TCP handshake.", 12.4),
  tls: number("The TLS handshake; 0 without one.", 25.9),
  first_byte: number("From sending the request to the first byte of the response.", 40.2),
  download: number("From the first to the last byte of the response.", 2.6),
});

/** A field that some answers leave out. */
export const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema);

/** An object that the API document has under a name of its own, and refers to wherever it is used. */
export const component = <Fields extends TProperties>(name: string, fields: Fields) =>
  Type.Object(fields, { $id: name });

const Unknown = component("Unknown", {
  since: time("When the last thing was known; for `ping_possibly_lost`, when the ping was expected."),
  reason: oneOf(
    "Why: the hub did not run, had no network, or was late; or its ping was due in such a gap and may have been lost.",
    UNKNOWN_REASONS,
    "hub_offline",
  ),
});
export type Unknown = Static<typeof Unknown>;

/** The field of a target whose state the hub cannot know now. */
export const unknownField = Type.Union([Unknown, Type.Null()], {
  description: "While its state cannot be known: since when and why. The status is the last known one. Usually null.",
  examples: [null],
});

const span = {
  from: time("When it began."),
  to: nullable(time("When it ended; null while it lasts.", "2026-01-15T12:24:10.000Z")),
};
export const HubGap = component("HubGap", {
  ...span,
  reason: oneOf("Why: the hub did not run, had no network, or was late.", HUB_GAP_REASONS, "hub_stopped"),
});

const UnknownTime = component("UnknownTime", {
  ...span,
  reason: oneOf(
    "Why: the hub did not run, had no network, or was late; or the ping of a heartbeat may have been lost in such a gap.",
    UNKNOWN_REASONS,
    "hub_stopped",
  ),
});

/** When nothing could be known within the span of an answer. */
export const gapsField = list(
  UnknownTime,
  "When nothing could be known, oldest first, at most the last 200 of the range. Draw them as neither up nor down.",
);

type Gap<Reason> = { from: number; to: number | null; reason: Reason };
export const presentGaps = <Reason extends UnknownReason>(gaps: readonly Gap<Reason>[]) =>
  gaps.map(({ from, to, reason }) => ({ from: isoTime(from), to: isoTimeOrNull(to), reason }));

type OpenGap = { since: number; reason: HubGapReason };
export const presentUnknown = (gap: OpenGap | null): Unknown | null =>
  gap && { since: isoTime(gap.since), reason: gap.reason };

/** Links of something with things of its team, which do not move to another one. */
export const linksField = list(
  object({
    kind: oneOf("What it is linked with.", LINK_KINDS, "channel"),
    name: text("Its name; empty for the rule for all, and for the status page.", "On call"),
  }),
  "Links with things of its present team, which end when it moves.",
);

/** The fields of a row that say whom it belongs to. */
export const belongingFields = {
  owner: optional(text("The owner's username, for administrators who are not in its team.", "bob")),
  team: optional(
    Type.Object(
      { id: id("Its id.", 3), name: text("Its name.", "Shop") },
      { description: "Its team, where you see several of yours at once; left out for your personal team." },
    ),
  ),
};

/** A successful answer. */
export const ok = <Fields extends TProperties>(fields: Fields = {} as Fields) =>
  Type.Object({ success: Type.Literal(true, { description: "Always true.", examples: [true] }), ...fields });

/**
 * Who may make a call: every caller (public); a user, by session or API key; a user by session only; an administrator, by
 * both or by session only; an agent by its own key; a user, or the operator by METRICS_TOKEN.
 */
export type Access = "public" | "user" | "session" | "admin" | "adminSession" | "agent" | "operator";

/** A successful answer. Without a schema and an example it has no body. */
export type Answer = {
  /** 200 unless given. */
  status?: number;
  /** Media types; JSON unless given. */
  type?: string | readonly string[];
  schema?: TSchema;
  /** Made from the examples of the schema's fields unless given. */
  example?: unknown;
  description: string;
};

type Description = {
  /** The operation's id in the API document: unique, and stable once released. */
  id: string;
  summary: string;
  description: string;
  access: Access;
  answer: Answer | readonly Answer[];
  /** The errors of this call besides those that follow from its access, parameters and body. */
  refusals?: readonly ErrorCode[];
};

/**
 * The `detail` of a route, which modules/docs writes into the API document. Elysia does not validate answers by
 * `detail.responses`.
 */
export const describe = ({
  id,
  summary,
  description,
  access,
  answer,
  refusals = [],
}: Description): DocumentDecoration & Record<`x-${string}`, unknown> => ({
  operationId: id,
  summary,
  description,
  "x-access": access,
  "x-refusals": refusals,
  responses: Object.fromEntries(
    [answer].flat().map(({ status = 200, type = "application/json", schema, example, description }) => [
      status,
      {
        description,
        ...((schema || example !== undefined) && {
          content: Object.fromEntries(
            [type].flat().map((media) => [media, { schema: schema ?? { type: "string" }, example }]),
          ),
        }),
      },
    ]),
  ) as DocumentDecoration["responses"],
});
