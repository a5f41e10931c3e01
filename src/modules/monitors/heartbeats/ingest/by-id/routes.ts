/** Pings of callers that are signed in, or have an API key, in place of the token of the heartbeat. */
import { Elysia, t } from "elysia";
import type { Deps } from "../../../../../core/deps";
import { notFound } from "../../../../../core/errors";
import { describe, ok } from "../../../../../server/answers";
import { field, idParam, oneOf, whole } from "../../../../../server/schema";
import { LIMITS } from "../../../../../shared/limits";
import type { PeerSource } from "../../../../accounts/client-address";
import { signedIn } from "../../../../accounts/guard";
import { findMonitor } from "../../../service";
import { readToken } from "../../pings";
import type { Report } from "../../state";

const pingModel = t.Object(
  {
    kind: t.Optional(
      field(
        oneOf(["success", "start", "fail", "log"]),
        "What is reported; `success` by default. A `log` changes no state.",
        "success",
      ),
    ),
    exit_status: t.Optional(
      field(whole(0, 255), "The exit status of a job. Without `kind`, 0 is success, and any other one is a failure."),
    ),
    rid: t.Optional(
      field(
        t.String({
          pattern: "^[\\w.:-]+$",
          maxLength: 64,
          error: "expected 1 to 64 letters, digits, dots, colons, hyphens or underscores",
        }),
        "An id that the start and the end of one run have in common; needed where runs overlap.",
      ),
    ),
    output: t.Optional(
      field(t.String({ maxLength: LIMITS.pingBody }), "A text that is kept with the last 100 pings.", "Deployed 1.4.2"),
    ),
  },
  { mayBeMissing: true },
);

type Submit = (
  call: { request: Request; server: PeerSource },
  token: string,
  report: Report,
  body: string | null,
) => Promise<unknown>;

/** `submit` stores a ping by the token of its heartbeat. */
export const monitorPingRoutes = (deps: Deps, submit: Submit) =>
  new Elysia({ prefix: "/api/monitors", tags: ["Heartbeats"] }).use(signedIn(deps)).post(
    "/:id/pings",
    async ({ user, params: { id }, body, request, server }) => {
      await findMonitor(deps, user, id);
      const token = await readToken(deps, id);
      if (token === undefined) throw notFound("Heartbeat");
      const { exit_status: exitStatus = null, rid = null, output } = body ?? {};
      const { kind = exitStatus ? "fail" : "success" } = body ?? {};
      const report = { runId: rid, exitStatus, took: null, kind } as const;
      // PostgreSQL can't store NUL.
      await submit({ request, server }, token, report, output?.replaceAll("\0", "\ufffd") || null);
      return { success: true as const };
    },
    {
      params: idParam("The monitor's id."),
      body: pingModel,
      detail: describe({
        id: "pingMonitor",
        summary: "Report to a heartbeat",
        description: "As its ping address does, by the id of the heartbeat. At most 60 in a minute.",
        access: "user",
        answer: { description: "The ping is stored.", schema: ok() },
        refusals: ["rate_limited", "unavailable"],
      }),
    },
  );
