import { type Context, Elysia } from "elysia";
import type { Deps } from "../../core/deps";
import { AppError } from "../../core/errors";
import type { Viewer } from "../../db/owner";
import { isoTime } from "../../lib/time";
import { boolean, describe, id, integer, list, object, ok, optional, text, time } from "../../server/answers";
import { idParam } from "../../server/schema";
import type { Report } from "../../shared/agents/report";
import { clientAddress, originOf } from "../auth/client-address";
import { bearerOf, signedIn } from "../auth/guard";
import { recordUserAction } from "../auth/security-log";
import { dependencyRoutes } from "../notifications/dependencies/routes";
import { drillRoutes } from "../notifications/drill/routes";
import { muteRoutes } from "../notifications/mutes/routes";
import { readTagFilter } from "../tags/model";
import { EnrollmentToken, enroll, generateToken, listTokens, revokeToken } from "./enrollment";
import { MetricPoint, MetricSeries, metricsOf } from "./history/series";
import { reportModel } from "./ingest/model";
import { createReportBatcher } from "./ingest/report-batcher";
import { createReportKeys, type ReportingAgent } from "./ingest/report-keys";
import { offeredDownloads } from "./install/downloads";
import { liveViewCalls, liveViewRoutes } from "./live-view/routes";
import { listQuery, metricsQuery, readWantedSeries, registerModel, renameModel } from "./model";
import { planRoutes } from "./plans/routes";
import { Agent, AgentDetail } from "./present";
import { AgentCounts, deleteAgent, findAgent, listAgents, readAgent, renameAgent } from "./service";

const success = true as const;
const params = idParam("The server's id.");
const TOKEN_MESSAGE = "This token is shown only now. One machine can enroll with it within 24 hours.";
const downloads = list(text("A file name.", "wakeful-linux-amd64"), "The agent programs under /downloads/, by name.");

/** The calls of agents: they send an enrollment token once, and their own key from then on. */
const agentCalls = (deps: Deps, onChange: () => void) => {
  const reports = createReportBatcher(deps, onChange);
  const keys = createReportKeys(deps);
  const admit = ({ headers, request, server }: Pick<Context, "headers" | "request" | "server">) =>
    keys.admit(bearerOf(headers.authorization), originOf(clientAddress(deps, request, server)));
  /** The agents of requests whose bodies are being read. */
  const admitted = new WeakMap<Request, ReportingAgent>();
  /** Whether the agent of this report shall wait for the live view, which the light one cannot. */
  const isInvited = ({ id }: ReportingAgent, { agent_kind }: Report) =>
    agent_kind === "executable" && deps.live.view.invites(id);
  return new Elysia()
    .use(liveViewCalls(deps, keys))
    .post(
      "/register",
      async ({ body, status }) => {
        const { id, key } = await enroll(deps, body);
        return status(201, { success, agent: { id }, key });
      },
      {
        body: registerModel,
        detail: describe({
          id: "registerAgent",
          summary: "Enroll a machine",
          description:
            "An agent calls this once, with an enrollment token. Until its first report the same machine may use the token again and gets a new key. A machine that the token's owner already has keeps its server. The token ends with the first report, or when its server is deleted.",
          access: "public",
          answer: {
            status: 201,
            description: "The machine is enrolled.",
            schema: ok({
              agent: object({ id: id("The server's id.", 5) }),
              key: text("The agent's key, for its reports.", "wka_…"),
            }),
          },
          refusals: ["token_invalid", "token_expired", "token_used", "quota_reached"],
        }),
      },
    )
    .post(
      "/report",
      async ({ body, headers, request, server }) => {
        const agent = admitted.get(request) ?? (await admit({ headers, request, server }));
        const { accepted, notStored } = await reports.submit(agent, body);
        keys.renew(agent);
        return {
          success,
          accepted,
          ...(accepted < body.samples.length && { not_stored: notStored }),
          ...(isInvited(agent, body) && { live: true as const }),
        };
      },
      {
        body: reportModel,
        // Refused before the body is read, so that reports of unknown clients, and too many of known ones, cost no parsing.
        parse: async (context) => {
          const agent = await admit(context);
          keys.countReport(agent);
          reports.assertRoom(agent);
          admitted.set(context.request, agent);
        },
        detail: describe({
          id: "report",
          summary: "Report samples",
          description:
            "An agent calls this with its own key. A key may send 60 reports at once and 4 a second from then on, and the samples of one user may take a quarter of the queue; beyond, a report is refused with 429 before it is read. A sample that is sent twice is stored once. Where the machine's clock is wrong, the times of its samples are corrected: by `sent_at`, or without it by its newest sample, if that is more than 5 minutes in the future.",
          access: "agent",
          answer: {
            description: "The samples are stored.",
            schema: ok({
              accepted: integer("How many samples are stored.", 1),
              not_stored: optional(
                object({
                  future: integer("Whose time is more than 5 minutes in the future, after its correction.", 0),
                  old: integer("Older than 48 hours.", 0),
                  same_second: integer("In the same second as another one.", 0),
                }),
              ),
              live: optional(boolean("Whether the agent may wait for the live view; absent when it may not.", true)),
            }),
          },
          refusals: ["unauthorized", "agent_deleted", "rate_limited"],
        }),
      },
    );
};

const tokenRoutes = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .post(
      "/token/generate",
      async ({ user, byKey, request, server }) => {
        if (byKey) throw new AppError("session_required");
        const { id, token, expiresAt } = await generateToken(deps, user.id);
        await recordUserAction(deps, { user, request, server }, "enrollment_token_created");
        // Adding a machine requires the program, so its downloads are named.
        const downloads = offeredDownloads(deps.config);
        return { success, message: TOKEN_MESSAGE, id, token, expires_at: isoTime(expiresAt), downloads };
      },
      {
        detail: describe({
          id: "generateToken",
          summary: "Create an enrollment token",
          description: "One machine can enroll with it within 24 hours. It is shown only now.",
          access: "session",
          answer: {
            description: "The token was created.",
            schema: ok({
              message: text("A confirmation.", TOKEN_MESSAGE),
              id: id("The token's id, to revoke it.", 3),
              token: text("The enrollment token.", "wkt_…"),
              expires_at: time("When it expires.", "2026-01-16T12:20:00.000Z"),
              downloads,
            }),
          },
          refusals: ["quota_reached"],
        }),
      },
    )
    .get(
      "/tokens",
      async ({ user }) => ({
        success,
        tokens: await listTokens(deps, user.id),
        downloads: offeredDownloads(deps.config),
      }),
      {
        detail: describe({
          id: "listTokens",
          summary: "List enrollment tokens",
          description:
            "Your own that have not expired, newest first; at most 1,000. The tokens themselves are not stored.",
          access: "user",
          answer: { description: "The tokens.", schema: ok({ tokens: list(EnrollmentToken), downloads }) },
        }),
      },
    )
    .delete(
      "/tokens/:id",
      async ({ user, byKey, params, request, server }) => {
        if (byKey) throw new AppError("session_required");
        await revokeToken(deps, user.id, params.id);
        await recordUserAction(deps, { user, request, server }, "enrollment_token_deleted", String(params.id));
        return { success };
      },
      {
        params: idParam("The token's id."),
        detail: describe({
          id: "revokeToken",
          summary: "Revoke an enrollment token",
          description: "No machine can enroll with it any more. A server that already did is kept.",
          access: "session",
          answer: { description: "The token was revoked.", schema: ok() },
        }),
      },
    );

const serverRoutes = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .get(
      "/",
      async ({ user, query, request }) => ({
        success,
        ...(await listAgents(deps, user, { ...query, tags: readTagFilter(request) })),
      }),
      {
        query: listQuery,
        detail: describe({
          id: "listAgents",
          summary: "List servers",
          description: "Your own, in the order of their enrollment; administrators see every user's.",
          access: "user",
          answer: {
            description: "A page of servers.",
            schema: ok({
              total: integer("How many servers match, on all pages.", 1),
              counts: AgentCounts,
              agents: list(Agent),
            }),
          },
        }),
      },
    )
    .guard({ params })
    .get("/:id", async ({ user, params }) => ({ success, agent: await readAgent(deps, user, params.id) }), {
      detail: describe({
        id: "getAgent",
        summary: "Get a server",
        description: "With its latest sample, state and plan.",
        access: "user",
        answer: { description: "The server.", schema: ok({ agent: AgentDetail }) },
      }),
    })
    .put(
      "/:id",
      async ({ user, params, body }) => {
        await renameAgent(deps, await findAgent(deps, user, params.id), body);
        return { success, agent: await readAgent(deps, user, params.id) };
      },
      {
        body: renameModel,
        detail: describe({
          id: "renameAgent",
          summary: "Rename a server, and set its tags and its plan",
          description: "Tags and the plan stay when they are left out.",
          refusals: ["too_many_tags"],
          access: "user",
          answer: { description: "The server was renamed.", schema: ok({ agent: AgentDetail }) },
        }),
      },
    )
    .delete(
      "/:id",
      async ({ user, params, request, server }) => {
        const agent = await findAgent(deps, user, params.id);
        await deleteAgent(deps, agent);
        await recordUserAction(deps, { user, request, server }, "agent_deleted", agent.agent.name);
        return { success };
      },
      {
        detail: describe({
          id: "deleteAgent",
          summary: "Delete a server",
          description: "Its history is deleted, too, and its agent stops at its next report.",
          access: "user",
          answer: { description: "The server was deleted.", schema: ok() },
        }),
      },
    )
    .get(
      "/:id/metrics",
      async ({ user, params, query, request }) => {
        const { agent } = await findAgent(deps, user, params.id);
        const all = agent.series ?? [];
        const wanted = { all, wanted: readWantedSeries(request, all) };
        return { success, ...(await metricsOf(deps, params.id, query.range ?? "24h", wanted)) };
      },
      {
        query: metricsQuery,
        detail: describe({
          id: "getMetrics",
          summary: "Get a server's metrics",
          description: "For charts: the samples of a span are summed up in each point.",
          access: "user",
          answer: {
            description: "At most 400 points, oldest first. Spans without a sample have none.",
            schema: ok({
              points: list(MetricPoint),
              series: list(MetricSeries, "Those that were asked for, in that order."),
            }),
          },
        }),
      },
    );

export const agentRoutes = (deps: Deps, onChange: () => void) => {
  const ownerOf = async (viewer: Viewer, id: number) => (await findAgent(deps, viewer, id)).agent.userId;
  return new Elysia({ prefix: "/agents", tags: ["Servers"] })
    .use(agentCalls(deps, onChange))
    .use(tokenRoutes(deps))
    .use(serverRoutes(deps))
    .use(planRoutes(deps, params))
    .use(liveViewRoutes(deps))
    .use(muteRoutes(deps, "agent", params, ownerOf))
    .use(dependencyRoutes(deps, "agent", params, ownerOf))
    .use(drillRoutes(deps, "agent", params));
};
