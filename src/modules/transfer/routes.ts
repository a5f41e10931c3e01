import { Elysia, type Static } from "elysia";
import type { Deps } from "../../core/deps";
import { isoTime } from "../../lib/time";
import { describe, ok, text } from "../../server/answers";
import { requireEditor, requireScope, signedIn } from "../accounts/guard";
import type { Engine } from "../monitors/engine/engine";
import { createModels } from "./model";
import type { TransferPart } from "./part";
import { previewRoutes } from "./previews/routes";
import {
  assertWithinLimits,
  createImportQueue,
  exportConfiguration,
  importConfiguration,
  neededScopes,
} from "./service";

/** A stream of text chunks that reads the next one when the client is ready for it. `onEnd` is called also when it fails. */
const streamOf = (pieces: AsyncGenerator<string>, onEnd: () => void): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await pieces.next().catch((error) => {
        onEnd();
        throw error;
      });
      if (!done) return controller.enqueue(encoder.encode(value));
      onEnd();
      controller.close();
    },
    cancel: async () => {
      onEnd();
      await pieces.return(undefined);
    },
  });
};

/** Export and import of files with these parts; a part refers to items of previous ones only. */
export const transferRoutes = <Part extends TransferPart>(
  deps: Deps,
  engine: Pick<Engine, "tick">,
  parts: readonly Part[],
) => {
  const models = createModels(parts);
  type Exported = Static<typeof models.exported>;
  const enqueue = createImportQueue(deps);
  return new Elysia({ prefix: "/api", tags: ["Export and import"] })
    .use(previewRoutes(deps, parts, () => void engine.tick()))
    .use(signedIn(deps))
    .derive(requireEditor)
    .get(
      "/export",
      async ({ user, request }) => {
        const day = isoTime(deps.clock.now()).slice(0, 10);
        const headers = {
          "content-type": "application/json",
          "content-disposition": `attachment; filename="wakeful-${day}.json"`,
        };
        // The body of an answer to HEAD is not read, and would never end.
        if (request.method === "HEAD") return new Response(null, { headers }) as unknown as Exported;
        const leave = await deps.costlyCalls.enter(user.id);
        request.signal.addEventListener("abort", leave, { once: true });
        if (request.signal.aborted) leave();
        return new Response(streamOf(exportConfiguration(deps, parts, user), leave), {
          headers,
        }) as unknown as Exported;
      },
      {
        detail: describe({
          id: "exportConfiguration",
          summary: "Export your configuration",
          description: "The file contains headers and bodies of monitors in plain text; keep it as safe as those.",
          access: "user",
          answer: { description: "The file.", schema: models.exported },
          refusals: ["read_only_key", "rate_limited"],
        }),
      },
    )
    .post(
      "/import",
      async ({ user, scopes, body }) => {
        for (const scope of neededScopes(parts, body)) requireScope(scopes, scope);
        const imported = await enqueue(user.id, () => importConfiguration(deps, parts, user, body));
        void engine.tick();
        return { success: true as const, message: "The configuration is imported.", ...imported };
      },
      {
        body: models.sent,
        transform: ({ body }) => assertWithinLimits(body),
        detail: describe({
          id: "importConfiguration",
          summary: "Import a configuration",
          description:
            "All or nothing. It adds what is missing and changes nothing that exists, so to import a file again has no effect. Ids in the file connect its parts; what is created gets ids of its own. A file with channels needs a session, or a key with the scope `channels`.",
          access: "user",
          answer: {
            description: "The configuration was imported.",
            schema: ok({
              message: text("A confirmation.", "The configuration is imported."),
              ...models.result.properties,
            }),
          },
          refusals: ["session_required", "conflict", "quota_reached", "rate_limited"],
        }),
      },
    );
};
