/**
 * The calls of jobs, in the dialects of URL of healthchecks and of Uptime Kuma. A token or a ping key in the path is the
 * credential.
 */
import { Elysia, t } from "elysia";
import type { Deps } from "../../../../core/deps";
import { AppError, describeError, notFound, refusal, unavailable } from "../../../../core/errors";
import { boolean, describe, object } from "../../../../server/answers";
import { field, textParam } from "../../../../server/schema";
import { LIMITS } from "../../../../shared/limits";
import { isSlug } from "../../../../shared/monitor-kinds/heartbeat";
import { clientAddress, originOf, type PeerSource } from "../../../accounts/client-address";
import { TOKEN } from "../rows";
import type { Report } from "../state";
import type { Address } from "./addresses";
import { monitorPingRoutes } from "./by-id/routes";
import { createPingBatcher, type PingBatcher } from "./ping-batcher";
import { asText, isAction, muteOf, type Push, pushReport, reportOf } from "./report";

const USER_AGENT_LENGTH = 200;
/** Longer than any URL that is accepted: no report of Uptime Kuma's dialect is lost because of its parameters. */
const PARAMETER_LENGTH = 16_384;

const HEADERS = {
  "access-control-allow-origin": "*",
  "cache-control": "no-store",
  "ping-body-limit": String(LIMITS.pingBody),
};

const rid = t.Optional(
  field(
    t.String({ maxLength: 200 }),
    "An id that the start and the end of one run have in common, such as a UUID; needed where runs overlap.",
    "3f1b9e0e-0c7a-4c39-9d53-3c9d8f1e2a11",
  ),
);
const pingQuery = t.Object({ rid });
const slugQuery = t.Object({
  rid,
  create: t.Optional(
    field(
      t.String({ maxLength: 200 }),
      "`1` creates the heartbeat of a slug that none has. It expects a ping each day, at most an hour late.",
      "1",
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
type Target = Address & { creates?: boolean };

const readBody = async (request: Request): Promise<string | null> =>
  request.method === "POST" ? asText(new Uint8Array(await request.arrayBuffer())) : null;

/** Submits a ping of a request. */
const createSubmit = (deps: Deps, pings: PingBatcher) => {
  return async (
    { request, server }: Call,
    { token, slug, creates = false }: Target,
    report: Report,
    body: string | null,
  ) => {
    const address = clientAddress(deps, request, server);
    const at = deps.clock.now();
    // A malformed token is refused like an unknown one.
    return pings.submit({
      token: TOKEN.test(token) ? token : ` ${crypto.randomUUID()}`,
      slug,
      creates,
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
type Submit = ReturnType<typeof createSubmit>;

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

/** A function that answers a ping as healthchecks does. */
const createPing = (deps: Deps, submit: Submit) => {
  return async (call: Call, target: Target, report: () => Report): Promise<string> => {
    try {
      if (target.slug !== null && !isSlug(target.slug)) throw notFound("This address");
      const { created } = await submit(call, target, report(), await readBody(call.request));
      const headers = { ...HEADERS, "content-type": "text/plain; charset=utf-8" };
      return new Response(created ? "Created" : "OK", { status: created ? 201 : 200, headers }) as never;
    } catch (error) {
      const refused = refusedBy(deps, error);
      return Response.json(refusal(refused), { status: refused.status, headers: headersOf(refused) }) as never;
    }
  };
};

const tokenParam = textParam("The token of the heartbeat.", "0f6b1c6e5a8d4d0e9a3c2b1f7e6d5c4b");
const ACTIONS = "`start`, `fail`, `log`, or an exit status from 0 to 255";
const actionParam = textParam(`${ACTIONS}.`, "start");
const actionOrSlug = textParam(`${ACTIONS}; after a ping key, the slug of a heartbeat.`, "start");
const keyParam = textParam("A ping key, as `createPingKey` answers it.", "Jx0Kq2mWv8sT1aBcD4eF5g");
const slugParam = textParam("The slug of a heartbeat of the key's team.", "nightly-backup");
const minutesParam = textParam("1 to 1,440.", "15");
const REFUSALS = ["not_found", "validation", "post_only", "rate_limited", "too_large", "unavailable"] as const;
const ABOUT = `At most 60 in a minute. The first ${LIMITS.pingBody.toLocaleString("en-US")} bytes of a body that is text are kept with the last 100 pings.`;
const BY_SLUG = "In place of a token, the address has a ping key and the slug of a heartbeat, as in healthchecks.";
const INTERRUPTION =
  "A missing ping is no failure for this number of minutes, for example while the machine of the job is rebooted.";
const okAnswer = { type: "text/plain", example: "OK", description: "The ping is stored." };
const createdAnswer = { status: 201, type: "text/plain", example: "Created", description: "A heartbeat is created." };

const described = (id: string, summary: string, description: string) =>
  describe({ id, summary, description, access: "public", answer: okAnswer, refusals: REFUSALS });

const describedBySlug = (id: string, summary: string, description: string) =>
  describe({
    ...{ id, summary, description, access: "public", answer: [okAnswer, createdAnswer] },
    refusals: [...REFUSALS, "slug_ambiguous", "quota_reached"],
  });

type OfToken = Call & { params: { token: string }; query: { rid?: string | undefined } };
type OfSlug = Call & {
  params: { token: string; slug: string };
  query: { rid?: string | undefined; create?: string | undefined };
};

/** The address in a path with a ping key and a slug. */
const bySlug = ({ params: { token, slug }, query: { create } }: OfSlug): Target => ({
  ...{ token, slug, creates: create === "1" },
});

/** Pings in the dialect of healthchecks: to a token, or to a ping key with a slug. */
const ownDialect = (deps: Deps, submit: Submit) => {
  const ping = createPing(deps, submit);
  const success = (call: OfToken) =>
    ping(call, { token: call.params.token, slug: null }, () => reportOf(undefined, call.query.rid ?? null));
  /** The second part is an action or a slug. */
  const second = (call: OfSlug) => {
    const { token, slug } = call.params;
    return isAction(slug)
      ? ping(call, { token, slug: null }, () => reportOf(slug, call.query.rid ?? null))
      : ping(call, bySlug(call), () => reportOf(undefined, call.query.rid ?? null));
  };
  const ofToken = { parse: "none", query: pingQuery, params: t.Object({ token: tokenParam }) } as const;
  const ofSecond = {
    parse: "none",
    query: slugQuery,
    params: t.Object({ token: tokenParam, slug: actionOrSlug }),
  } as const;
  return new Elysia({ prefix: "/ping" })
    .get("/:token", success, { ...ofToken, detail: described("ping", "Report success", ABOUT) })
    .post("/:token", success, { ...ofToken, detail: described("pingWithBody", "Report success with a body", ABOUT) })
    .get("/:token/:slug", second, {
      ...ofSecond,
      detail: describedBySlug(
        "pingAction",
        "Report a start, a failure, a log entry or an exit status; or success by a slug",
        `${ABOUT} ${BY_SLUG}`,
      ),
    })
    .post("/:token/:slug", second, {
      ...ofSecond,
      detail: describedBySlug("pingActionWithBody", "The same with a body", `${ABOUT} ${BY_SLUG}`),
    })
    .post(
      "/:token/mute/:minutes",
      (call) => ping(call, { token: call.params.token, slug: null }, () => muteOf(call.params.minutes)),
      {
        parse: "none",
        params: t.Object({ token: tokenParam, minutes: minutesParam }),
        detail: described("muteHeartbeat", "Announce an interruption", INTERRUPTION),
      },
    );
};

/** The actions of pings to a ping key with a slug. */
const slugDialect = (deps: Deps, submit: Submit) => {
  const ping = createPing(deps, submit);
  const action = (call: OfSlug & { params: { action: string } }) =>
    ping(call, bySlug(call), () => reportOf(call.params.action, call.query.rid ?? null));
  const params = { token: keyParam, slug: slugParam };
  const ofAction = { parse: "none", query: slugQuery, params: t.Object({ ...params, action: actionParam }) } as const;
  const summary = "Report a start, a failure, a log entry or an exit status by a slug";
  return new Elysia({ prefix: "/ping" })
    .get("/:token/:slug/:action", action, {
      ...ofAction,
      detail: describedBySlug("pingSlugAction", summary, BY_SLUG),
    })
    .post("/:token/:slug/:action", action, {
      ...ofAction,
      detail: describedBySlug("pingSlugActionWithBody", "The same with a body", BY_SLUG),
    })
    .post("/:token/:slug/mute/:minutes", (call) => ping(call, call.params, () => muteOf(call.params.minutes)), {
      parse: "none",
      params: t.Object({ ...params, minutes: minutesParam }),
      detail: described("muteHeartbeatBySlug", "Announce an interruption by a slug", INTERRUPTION),
    });
};

/** Pings in the dialect of Uptime Kuma's push monitors, so that an imported monitor keeps its token. */
const pushDialect = (deps: Deps, submit: Submit) => {
  const push = async (call: Call & { params: { token: string }; query: Push }): Promise<{ ok: boolean }> => {
    try {
      const target = { token: call.params.token, slug: null };
      await submit(call, target, pushReport(call.query), asText(Buffer.from(call.query.msg ?? "")));
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
    .use(slugDialect(deps, submit))
    .use(pushDialect(deps, submit))
    .use(monitorPingRoutes(deps, (call, token, ...rest) => submit(call, { token, slug: null }, ...rest)));
};
