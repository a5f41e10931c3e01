import { type Context, Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { boolean, describe, id, integer, object, ok, optional, text } from "../../../server/answers";
import type { Report } from "../../../shared/agents/report";
import { anonymous } from "../../accounts/audit/record";
import { clientAddress, originOf } from "../../accounts/client-address";
import { bearerOf } from "../../accounts/guard";
import { enroll } from "../enrollment/enroll";
import { liveViewCalls } from "../live-view/routes";
import { registerModel } from "../model";
import { reportModel } from "./model";
import { createReportBatcher } from "./report-batcher";
import { createReportKeys, type ReportingAgent } from "./report-keys";

const success = true as const;

/** The calls of agents: they send an enrollment token once, and their own key from then on. */
export const serverCalls = (deps: Deps, onChange: () => void) => {
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
      async ({ body, status, request, server }) => {
        const { id, key } = await enroll(deps, body, anonymous(clientAddress(deps, request, server)));
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
