import { type TSchema, Type } from "@sinclair/typebox";
import { field, titled } from "../../../server/schema";
import type { ChannelField } from "../../../shared/channel-fields";
import { channelKinds } from "./registry";

/** Stands for the part of an example that differs for each user; some tokens have a fixed length. */
const FILLER = "x".repeat(30);

const WRITTEN: Partial<Record<ChannelField["type"], string>> = {
  list: "separated by commas",
  headers: "one `Name: value` in each line",
};

const fieldModel = ({
  label,
  type,
  choices,
  expected,
  secret,
  required,
  maxLength,
  example,
}: ChannelField): TSchema => {
  const facts = [`The ${label}`, WRITTEN[type]].filter(Boolean).join(", ");
  const maskNote = secret ? " The mask of the stored one keeps it." : "";
  const described = field(
    choices ? Type.Union(choices.map((choice) => Type.Literal(choice))) : Type.String({ maxLength }),
    `${facts}${expected ? `: ${expected}` : ""}.${maskNote}`,
    example.replaceAll("…", FILLER),
  );
  return required ? described : Type.Optional(described);
};

/**
 * What the API document shows of a body with a channel's type and config: one variant for each type. The body itself is
 * validated by one schema, whose messages name single fields. `before` and `after` are the fields around the type.
 */
export const channelVariants = (
  suffix: string,
  before: Record<string, TSchema>,
  after: Record<string, TSchema> = {},
) => ({
  discriminator: { propertyName: "type" },
  oneOf: [...channelKinds.values()].map(({ kind, fields }) =>
    Type.Object(
      {
        ...before,
        type: field(Type.Literal(kind), "The type.", kind),
        ...after,
        config: Type.Object(Object.fromEntries(fields.map((one) => [one.name, fieldModel(one)])), {
          $id: `${titled(kind)}ChannelConfig`,
          description: "Its fields. A whole number, such as a port, stands for its text.",
        }),
      },
      { $id: `${titled(kind)}Channel${suffix}` },
    ),
  ),
});
