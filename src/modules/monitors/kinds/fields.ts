/** What follows from the fields of a kind on the hub: the schemas of requests and answers, with the API document. */
import type { TProperties, TSchema } from "@sinclair/typebox";
import { t } from "elysia";
import * as answers from "../../../server/answers";
import { field, oneOf, whole } from "../../../server/schema";
import { CERTIFICATE_DAYS } from "../../../shared/certificate";
import { LIMITS } from "../../../shared/limits";
import type { KindField } from "../../../shared/monitor-kinds/field";
import { expectedIn } from "../../../shared/monitor-kinds/validate";

/** The schemas of a custom field: of its value in a request, or of the fields there in its place, and of an answer. */
export type FieldSchemas = { sent?: TSchema; beside?: TProperties; answered: TSchema };

/** The value of a field in a request, without its meaning. */
const sentValue = (one: KindField): TSchema => {
  const error = expectedIn(one);
  switch (one.type) {
    case "host":
      return t.String({ maxLength: LIMITS.host, pattern: "\\S", error });
    case "address":
      return t.String({ maxLength: LIMITS.url, pattern: one.pattern ?? "\\S", error });
    case "text":
    case "password": {
      const { maxLength, pattern, nullable } = one;
      if (nullable) return t.Union([t.String({ maxLength }), t.Null()], { error });
      return t.String({ maxLength, ...(pattern !== undefined && { pattern }), error });
    }
    case "bytes":
      // With escapes, four characters may stand for one byte, after a word of four.
      return t.String({ maxLength: one.escaped ? 5 * one.most : one.most, error });
    case "number": {
      const number = whole(one.min, one.max, one.unit);
      return one.nullable ? t.Union([number, t.Null()]) : number;
    }
    case "choice":
      if (!one.nullable) return oneOf(one.choices);
      return t.Union([...one.choices.map((choice) => t.Literal(choice)), t.Null()], {
        error: `expected one of ${one.choices.join(", ")}, or null`,
      });
    case "switch":
      return t.Boolean({ error: "expected true or false" });
    case "days":
      return t.Array(whole(1, CERTIFICATE_DAYS.longest, " days"), { maxItems: CERTIFICATE_DAYS.most, error });
    case "custom":
      throw new Error(`the field ${one.name} needs a schema`);
  }
};

const sentSchema = (one: KindField, value = sentValue(one)): TSchema => {
  const schema = field(value, one.accepts ?? one.about, ...(one.rare ? [] : [one.example]));
  return one.required ? schema : t.Optional(schema);
};

/** The value of a field in an answer. */
const answeredValue = (one: KindField): TSchema => {
  const { about } = one;
  switch (one.type) {
    case "number":
      return answers.integer(about, one.example as number);
    case "choice":
      return answers.oneOf(about, one.choices);
    case "switch":
      return answers.boolean(about, one.example as boolean);
    case "days":
      return answers.list(answers.integer("Days before the certificate expires.", 21), about, one.example as number[]);
    default:
      return answers.text(about, (one.answered ?? one.example) as string);
  }
};

const answeredSchema = (one: KindField): TSchema => {
  const value = answeredValue(one);
  const schema = one.nullable ? answers.nullable(value, one.answered === null ? null : undefined) : value;
  return one.required || one.default !== undefined ? schema : answers.optional(schema);
};

/** The schemas of the fields of a kind: as they are sent, and as they are stored and answered. */
export const schemasOf = (fields: readonly KindField[], own: Readonly<Record<string, FieldSchemas>> = {}) => ({
  sent: t.Object(
    Object.assign(
      {},
      ...fields.map((one) => own[one.name]?.beside ?? { [one.name]: sentSchema(one, own[one.name]?.sent) }),
    ) as TProperties,
  ),
  config: answers.object(
    Object.fromEntries(fields.map((one) => [one.name, own[one.name]?.answered ?? answeredSchema(one)])),
  ),
});
