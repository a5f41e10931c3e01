import { Elysia } from "elysia";
import type { Deps } from "../../core/deps";
import { AppError } from "../../core/errors";
import { isoTime } from "../../lib/time";
import { requireFullScope, signedIn } from "../auth/guard";
import type { Engine } from "../monitors/engine/engine";
import { type Exported, exportConfiguration } from "./export";
import { importConfiguration } from "./import";
import { documentModel } from "./model";
import { assertWithinLimits } from "./parse";
import { createImportQueue } from "./queue";

/** Pieces of text as a stream that asks for the next one when there is room for it. */
const streamOf = (pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => {
      await pieces.return(undefined);
    },
  });
};

export const transferRoutes = (deps: Deps, engine: Pick<Engine, "tick">) => {
  const enqueue = createImportQueue();
  return new Elysia()
    .use(signedIn(deps))
    .derive(requireFullScope)
    .get("/export", ({ user }) => {
      const day = isoTime(deps.clock.now()).slice(0, 10);
      const headers = {
        "content-type": "application/json",
        "content-disposition": `attachment; filename="wakeful-${day}.json"`,
      };
      return new Response(streamOf(exportConfiguration(deps, user)), { headers }) as unknown as Exported;
    })
    .post(
      "/import",
      async ({ user, byKey, body }) => {
        if (byKey && (body.channels?.length ?? 0) > 0) throw new AppError("session_required");
        const imported = await enqueue(user.id, () => importConfiguration(deps, user, body));
        void engine.tick();
        return { success: true as const, message: "The configuration is imported.", ...imported };
      },
      { body: documentModel, transform: ({ body }) => assertWithinLimits(body) },
    );
};
