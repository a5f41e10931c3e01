import { Elysia } from "elysia";
import type { Deps } from "../../deps";
import { refuseReaders, sessionRequired, signedIn } from "../auth/guard";
import type { Engine } from "../monitors/engine";
import { exportConfiguration } from "./export";
import { importConfiguration } from "./import";
import { documentModel } from "./model";
import { refuseMasses } from "./parse";

export const transferRoutes = (deps: Deps, engine: Pick<Engine, "tick">) =>
  new Elysia()
    .use(signedIn(deps))
    .derive(refuseReaders)
    .get("/export", async ({ user, set }) => {
      const document = await exportConfiguration(deps, user);
      set.headers["content-disposition"] = `attachment; filename="wakeful-${document.exported_at.slice(0, 10)}.json"`;
      return document;
    })
    .post(
      "/import",
      async ({ user, byKey, body }) => {
        if (byKey && (body.channels?.length ?? 0) > 0) throw sessionRequired();
        const imported = await importConfiguration(deps, user, body);
        void engine.tick();
        return { success: true as const, message: "The configuration is imported.", ...imported };
      },
      { body: documentModel, transform: ({ body }) => refuseMasses(body) },
    );
