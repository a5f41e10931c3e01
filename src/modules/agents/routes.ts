import { Elysia } from "elysia";
import type { Deps } from "../../core/deps";
import { AppError } from "../../core/errors";
import { isoTime } from "../../lib/time";
import { idParams } from "../../server/schema";
import { clientAddress, originOf } from "../auth/client-address";
import { bearerOf, signedIn } from "../auth/guard";
import { recordUserAction } from "../auth/security-log";
import { enroll, generateToken, listTokens, revokeToken } from "./enrollment";
import { metricsOf } from "./history/series";
import { createReportBatcher } from "./ingest/report-batcher";
import { createReportKeys } from "./ingest/report-keys";
import { offeredDownloads } from "./install/downloads";
import { listQuery, metricsQuery, registerModel, renameModel, reportModel } from "./model";
import { deleteAgent, findAgent, listAgents, readAgent, renameAgent } from "./service";

const success = true as const;

/** What agents themselves call: they show a token once, and their own key from then on. */
const agentCalls = (deps: Deps, onChange: () => void) => {
  const inbox = createReportBatcher(deps, onChange);
  const keys = createReportKeys(deps);
  return new Elysia()
    .post(
      "/register",
      async ({ body, status }) => {
        const { id, key } = await enroll(deps, body);
        return status(201, { success, agent: { id }, key });
      },
      { body: registerModel },
    )
    .post(
      "/report",
      async ({ body, headers }) => ({
        success,
        accepted: await inbox.take(bearerOf(headers.authorization), body),
      }),
      {
        body: reportModel,
        // The key is checked before the body is read, so that strangers' reports cost no parsing and no queue.
        parse: async ({ request, server }) => {
          const key = bearerOf(request.headers.get("authorization") ?? undefined);
          await keys.admit(key, originOf(clientAddress(deps, request, server)));
        },
      },
    );
};

export const agentRoutes = (deps: Deps, onChange: () => void) =>
  new Elysia({ prefix: "/agents" })
    .use(agentCalls(deps, onChange))
    .use(signedIn(deps))
    .post("/token/generate", async ({ user, byKey, request, server }) => {
      if (byKey) throw new AppError("session_required");
      const { id, token, expiresAt } = await generateToken(deps, user.id);
      await recordUserAction(deps, { user, request, server }, "enrollment_token_created");
      const message = "This token is shown only now. One machine can enroll with it within 24 hours.";
      // Whoever adds a machine needs the program, too.
      const downloads = offeredDownloads(deps.config);
      return { success, message, id, token, expires_at: isoTime(expiresAt), downloads };
    })
    .get("/tokens", async ({ user }) => ({
      success,
      tokens: await listTokens(deps, user.id),
      downloads: offeredDownloads(deps.config),
    }))
    .delete(
      "/tokens/:id",
      async ({ user, byKey, params, request, server }) => {
        if (byKey) throw new AppError("session_required");
        await revokeToken(deps, user.id, params.id);
        await recordUserAction(deps, { user, request, server }, "enrollment_token_deleted", String(params.id));
        return { success };
      },
      { params: idParams },
    )
    .get("/", async ({ user, query }) => ({ success, ...(await listAgents(deps, user, query)) }), { query: listQuery })
    .guard({ params: idParams })
    .get("/:id", async ({ user, params }) => ({
      success,
      agent: await readAgent(deps, user, params.id),
    }))
    .put(
      "/:id",
      async ({ user, params, body }) => {
        await renameAgent(deps, await findAgent(deps, user, params.id), body.name);
        return { success, agent: await readAgent(deps, user, params.id) };
      },
      { body: renameModel },
    )
    .delete("/:id", async ({ user, params, request, server }) => {
      const agent = await findAgent(deps, user, params.id);
      await deleteAgent(deps, agent);
      await recordUserAction(deps, { user, request, server }, "agent_deleted", agent.agent.name);
      return { success };
    })
    .get(
      "/:id/metrics",
      async ({ user, params, query }) => {
        await findAgent(deps, user, params.id);
        return { success, points: await metricsOf(deps, params.id, query.range ?? "24h") };
      },
      { query: metricsQuery },
    );
