import type { DocumentDecoration, TSchema } from "elysia";
import type { ErrorCode } from "../core/errors";

/**
 * Who may make a call: anybody; a user, by session or API key; a user by session only; an administrator; an agent by
 * its own key; a user, or the operator by METRICS_TOKEN.
 */
export type Access = "anybody" | "user" | "session" | "admin" | "agent" | "operator";

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

export type Description = {
  /** The operation's id in the API document: unique, and stable once released. */
  id: string;
  summary: string;
  description?: string;
  access: Access;
  answer: Answer | readonly Answer[];
  /** The errors of this call besides those that follow from its access, parameters and body. */
  refusals?: readonly ErrorCode[];
};

/**
 * The `detail` of a route, from which modules/docs makes the API document. Elysia does not validate answers by
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
  ...(description && { description }),
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
