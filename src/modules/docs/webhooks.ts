import { channelKinds } from "../notifications/channels/registry";
import { type Components, exampleOf, type RawSchema, toJsonSchema } from "./json-schema";

/**
 * The `webhooks` of the document: what channels post to the addresses of users, by the type of the channel. The schemas of
 * the payloads are added to `components`.
 */
export const webhooksOf = (components: Components) =>
  Object.fromEntries(
    [...channelKinds.values()].flatMap(({ kind, payload }) => {
      if (!payload) return [];
      const schema = toJsonSchema(payload as RawSchema, components);
      const content = { "application/json": { schema, example: exampleOf(schema, components) } };
      const post = {
        summary: `An alert through a channel of the type ${kind}`,
        requestBody: { required: true, content },
        responses: { "2XX": { description: "The alert is delivered." } },
      };
      return [[kind, { post }]];
    }),
  );
