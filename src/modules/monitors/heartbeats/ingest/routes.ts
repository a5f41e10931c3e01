/** The calls of jobs, in the dialects of URL of healthchecks and of Uptime Kuma. A token in the path is the credential. */
import { Elysia, t } from "elysia";
import type { Deps } from "../../../../core/deps";
import { AppError, describeError, notFound, refusal, unavailable, validation } from "../../../../core/errors";
import { boolean, describe, object } from "../../../../server/answers";
import { field, textParam } from "../../../../server/schema";
import { LIMITS } from "../../../../shared/limits";
import { clientAddress, originOf, type PeerSource } from "../../../accounts/client-address";
import { TOKEN } from "../rows";
import type { Report } from "../state";
import { monitorPingRoutes } from "./by-id/routes";
import { createPingBatcher, type PingBatcher } from "./ping-batcher";

const USER_AGENT_LENGTH = 200;
/** Longer than any URL that is accepted: no report of Uptime Kuma's dialect is lost because of its parameters. */
const PARAMETER_LENGTH = 16_384;
/** Minutes. */
const LONGEST_MUTE = 1440;
/** The longest duration that a ping may report in milliseconds: a year. */
const LONGEST_DURATION = 366 * 86_400_000;
const RUN_ID = /^[\w.:-]{1,64}$/;

const HEADERS = {
  "access-control-allow-origin": "*",
  "cache-control": "no-store",
  "ping-body-limit": String(LIMITS.pingBody),
};

const pingQuery = t.Object({
  rid: t.Optional(
    field(
      t.String({ maxLength: 200 }),
      "An id that the start and the end of one run have in common, such as a UUID; needed where runs overlap.",
      "3f1b9e0e-0c7a-4c39-9d53-3c9d8f1e2a11",
    ),
  ),
});

const pushQuery = t.Object({
  status: t.Optional(
    field(
      t.String({ maxLength: PARAMETER_LENGTH }),
      "`up`, which is the default, or any other word for a failure.",
      "up",
    ),
  ),
  msg: t.Optional(field(t.String({ maxLength: PARAMETER_LENGTH }), "A message, stored as the body of the ping.", "OK")),
  ping: t.Optional(field(t.String({ maxLength: PARAMETER_LENGTH }), "The duration in milliseconds.", "23")),
});

type Call = { request: Request; server: PeerSource };

const invalid = (path: string, message: string) => validation([{ path, message: `${path}: ${message}` }]);

/** The start of a body as text, without a character that is cut off; null if it is empty or not text. */
const asText = (bytes: Uint8Array): string | null => {
  if (bytes.length === 0) return null;
  const start = bytes.subarray(0, LIMITS.pingBody);
  try {
    // PostgreSQL can't store NUL.
    return new TextDecoder("utf-8", { fatal: true }).decode(start, { stream: true }).replaceAll("\0", "\ufffd");
  } catch {
    return null;
  }
};

const readBody = async (request: Request): Promise<string | null> =>
  request.method === "POST" ? asText(new Uint8Array(await request.arrayBuffer())) : null;

/**
 * What a ping reports, by the end of its path: nothing for success, `start`, `fail`, `log`, or an exit status.
 * @throws {AppError} not_found, validation
 */
const reportOf = (action: string | undefined, runId: string | null): Report => {
  if (runId !== null && !RUN_ID.test(runId))
    throw invalid("rid", "expected 1 to 64 letters, digits, dots, colons, hyphens or underscores");
  const report = { runId, exitStatus: null, took: null };
  if (action === undefined) return { ...report, kind: "success" };
  if (action === "start" || action === "fail" || action === "log") return { ...report, kind: action };
  if (!/^\d+$/.test(action)) throw notFound("This address");
  const exitStatus = Number(action);
  if (exitStatus > 255) throw invalid("status", "expected an exit status from 0 to 255");
  return { ...report, kind: exitStatus === 0 ? "success" : "fail", exitStatus };
};

/** @throws {AppError} validation */
const muteOf = (minutes: string): Report => {
  const length = /^\d{1,4}$/.test(minutes) ? Number(minutes) : 0;
  if (length < 1 || length > LONGEST_MUTE) throw invalid("minutes", `expected 1 to ${LONGEST_MUTE}`);
  return { kind: "mute", minutes: length };
};

type Push = { status?: string | undefined; msg?: string | undefined; ping?: string | undefined };

/** An empty parameter counts as missing, as in Uptime Kuma. */
const pushReport = ({ status, ping = "" }: Push): Report => {
  const took = Number(ping);
  const isDuration = ping.trim() !== "" && took >= 0 && took <= LONGEST_DURATION;
  const kind = (status || "up") === "up" ? "success" : "fail";
  return { kind, runId: null, exitStatus: null, took: isDuration ? took : null };
};

/** Submits a ping of a request. */
const createSubmit = (deps: Deps, pings: PingBatcher) => {
  return async ({ request, server }: Call, token: string, report: Report, body: string | null): Promise<void> => {
    const address = clientAddress(deps, request, server);
    const at = deps.clock.now();
    // A malformed token is refused like an unknown one.
    await pings.submit({
      token: TOKEN.test(token) ? token : ` ${crypto.randomUUID()}`,
      report,
      at,
      address,
      network: originOf(address),
      userAgent: (request.headers.get("user-agent") ?? "").slice(0, USER_AGENT_LENGTH),
      body,
      method: request.method,
    });
  };
};

const refusedBy = (deps: Deps, error: unknown): AppError => {
  if (error instanceof AppError) return error;
  deps.log.error("a ping failed", { error: describeError(error) });
  return unavailable();
};

const headersOf = ({ code, details }: AppError) => ({
  ...HEADERS,
  ...(details.retryAfter && { "retry-after": String(details.retryAfter) }),
  ...(code === "post_only" && { allow: "POST" }),
});

const tokenParam = textParam("The token of the heartbeat.", "0f6b1c6e5a8d4d0e9a3c2b1f7e6d5c4b");
const actionParam = textParam("`start`, `fail`, `log`, or an exit status from 0 to 255.", "start");
const REFUSALS = ["not_found", "validation", "post_only", "rate_limited", "too_large", "unavailable"] as const;
const ABOUT = `At most 60 in a minute. The first ${LIMITS.pingBody.toLocaleString("en-US")} bytes of a body that is text are kept with the last 100 pings.`;
const answer = { type: "text/plain", example: "OK", description: "The ping is stored." };

const described = (id: string, summary: string, description: string) =>
  describe({ id, summary, description, access: "public", answer, refusals: REFUSALS });

/** Pings in the dialect of healthchecks. */
const ownDialect = (deps: Deps, submit: ReturnType<typeof createSubmit>) => {
  const ping = async (call: Call, token: string, report: () => Report): Promise<string> => {
    try {
      await submit(call, token, report(), await readBody(call.request));
      return new Response("OK", { headers: { ...HEADERS, "content-type": "text/plain; charset=utf-8" } }) as never;
    } catch (error) {
      const refused = refusedBy(deps, error);
      return Response.json(refusal(refused), { status: refused.status, headers: headersOf(refused) }) as never;
    }
  };
  const success = (call: Call & { params: { token: string }; query: { rid?: string | undefined } }) =>
    ping(call, call.params.token, () => reportOf(undefined, call.query.rid ?? null));
  const other = (call: Call & { params: { token: string; action: string }; query: { rid?: string | undefined } }) =>
    ping(call, call.params.token, () => reportOf(call.params.action, call.query.rid ?? null));
  const token = t.Object({ token: tokenParam });
  const withAction = t.Object({ token: tokenParam, action: actionParam });
  const of = { parse: "none", query: pingQuery } as const;
  return new Elysia({ prefix: "/ping" })
    .get("/:token", success, { ...of, params: token, detail: described("ping", "Report success", ABOUT) })
    .post("/:token", success, {
      ...of,
      params: token,
      detail: described("pingWithBody", "Report success with a body", ABOUT),
    })
    .get("/:token/:action", other, {
      ...of,
      params: withAction,
      detail: described("pingAction", "Report a start, a failure, a log entry or an exit status", ABOUT),
    })
    .post("/:token/:action", other, {
      ...of,
      params: withAction,
      detail: described("pingActionWithBody", "The same with a body", ABOUT),
    })
    .post("/:token/mute/:minutes", (call) => ping(call, call.params.token, () => muteOf(call.params.minutes)), {
      parse: "none",
      params: t.Object({ token: tokenParam, minutes: textParam("1 to 1,440.", "15") }),
      detail: described(
        "muteHeartbeat",
        "Announce an interruption",
        "A missing ping is no failure for this number of minutes, for example while the machine of the job is rebooted.",
      ),
    });
};

/** Pings in the dialect of Uptime Kuma's push monitors, so that an imported monitor keeps its token. */
const pushDialect = (deps: Deps, submit: ReturnType<typeof createSubmit>) => {
  const push = async (call: Call & { params: { token: string }; query: Push }): Promise<{ ok: boolean }> => {
    try {
      await submit(call, call.params.token, pushReport(call.query), asText(Buffer.from(call.query.msg ?? "")));
      return Response.json({ ok: true }, { headers: HEADERS }) as never;
    } catch (error) {
      const refused = refusedBy(deps, error);
      return Response.json(refusal(refused), { status: refused.status, headers: headersOf(refused) }) as never;
    }
  };
  const of = { parse: "none", params: t.Object({ token: tokenParam }), query: pushQuery } as const;
  const pushed = (id: string, summary: string) =>
    describe({
      id,
      summary,
      description: "The URL of Uptime Kuma's push monitors.",
      access: "public",
      answer: { schema: object({ ok: boolean("Always true.", true) }), description: "The ping is stored." },
      refusals: REFUSALS,
    });
  return new Elysia({ prefix: "/api/push" })
    .get("/:token", push, { ...of, detail: pushed("push", "Report as to Uptime Kuma") })
    .post("/:token", push, { ...of, detail: pushed("pushByPost", "Report as to Uptime Kuma by POST") });
};

/** The calls that jobs report to heartbeats with. `onChange` is called when events were written. */
export const pingRoutes = (deps: Deps, onChange: () => void) => {
  const submit = createSubmit(deps, createPingBatcher(deps, onChange));
  return new Elysia({ tags: ["Heartbeats"] })
    .use(ownDialect(deps, submit))
    .use(pushDialect(deps, submit))
    .use(monitorPingRoutes(deps, submit));
};
