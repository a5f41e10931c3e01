import { OptionalKind } from "@sinclair/typebox";
import { type TSchema, t } from "elysia";
import { field, titled } from "../../../server/schema";
import { KINDS } from "../kinds/registry";

const required = (schema: TSchema): TSchema => {
  const { [OptionalKind]: _, ...rest } = schema;
  return rest as TSchema;
};

/**
 * The variants of a body in the API document, one for each kind; `kind` selects one. The body itself is validated by one
 * schema, whose messages name single fields. `common` are the fields outside the kind; kinds with checks require an interval.
 */
export const kindVariants = (suffix: string, common: Record<string, TSchema>) => ({
  discriminator: { propertyName: "kind" },
  oneOf: KINDS.map(({ kind, flat, passive, sent }) => {
    const { name, interval, timeout, retries, retry_pause, quick_recheck, ...others } = common;
    const own = field(t.Literal(kind), "The kind. It can't be changed later.", kind);
    return t.Object(
      {
        ...(name && { name: flat ? name : field(name, name.description ?? "", `Shop ${kind}`) }),
        kind: kind === KINDS[0].kind ? t.Optional({ ...own, description: "The kind, which is the default." }) : own,
        ...(flat ? sent.properties : { config: field(sent, "The fields of the kind.") }),
        ...(!passive && {
          ...(interval && { interval: required(interval) }),
          ...(timeout && { timeout }),
          ...(retries && { retries }),
          ...(retry_pause && { retry_pause }),
          ...(quick_recheck && { quick_recheck }),
        }),
        ...others,
      },
      { $id: `${titled(kind)}${suffix}` },
    );
  }),
});
