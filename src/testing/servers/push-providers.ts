import { serveProvider as serve, withoutBackslashes } from "./channel-providers";

const bytes = (text: unknown) => Buffer.byteLength(String(text));
const joined = (...parts: unknown[]) => parts.join("\n");

export const ntfy = () =>
  serve(
    ({ path, headers }, body) => {
      const error = (http: number, code: number, text: string) =>
        Response.json({ code, http, error: text }, { status: http });
      if (path !== "/" || body.topic !== "alerts-4f8a") return error(404, 40_401, "page not found");
      if (headers.authorization !== "Bearer tk_secret") return error(403, 40_301, "forbidden");
      if (bytes(body.message) > 4096 || !body.title) return error(400, 40_001, "invalid request");
      return { shown: joined(body.title, body.message), answer: Response.json({ id: "hwQ2YpKdmg", event: "message" }) };
    },
    {
      config: (server) => ({ server, topic: "alerts-4f8a", token: "tk_secret" }),
      wrong: (server) => ({ server, topic: "alerts-4f8a", token: "tk_wrong" }),
      errorInside200: () => Response.json({ code: 40_301, http: 403, error: "forbidden" }),
    },
  );

export const gotify = () =>
  serve(
    ({ path, headers }, { title, message, priority }) => {
      const error = (status: number, errorDescription: string) =>
        Response.json({ error: "error", errorCode: status, errorDescription }, { status });
      if (path !== "/message") return error(404, "page not found");
      if (headers["x-gotify-key"] !== "Asecret") return error(401, "you need to provide a valid access token");
      if (!title || !message || typeof priority !== "number") return error(400, "Field 'message' is required");
      return { shown: joined(title, message), answer: Response.json({ id: 25, appid: 5 }) };
    },
    {
      config: (server) => ({ server, token: "Asecret" }),
      wrong: (server) => ({ server, token: "Awrong" }),
      errorInside200: () => Response.json({ error: "Unauthorized", errorCode: 401, errorDescription: "no access" }),
    },
  );

export const bark = () =>
  serve(
    ({ path }, body) => {
      const answer = (code: number, message: string) =>
        Response.json({ code, message, timestamp: 1 }, { status: code === 200 ? 200 : code });
      if (path !== "/push") return answer(404, "not found");
      if (body.device_key !== "devicesecret") return answer(400, "failed to get device token: not found");
      if (bytes(JSON.stringify(body)) > 4096) return answer(413, "PayloadTooLarge");
      return { shown: joined(body.title, body.body), answer: answer(200, "success") };
    },
    {
      config: (server) => ({ server, deviceKey: "devicesecret" }),
      wrong: (server) => ({ server, deviceKey: "wrong" }),
      errorInside200: () => Response.json({ code: 500, message: "push failed" }),
    },
  );

export const serverchan = () => {
  const answer = (code: number, message: string) => Response.json({ code, message, data: {} });
  return serve(
    ({ path }, { title, desp }) => {
      if (path !== "/SCTsecret.send") return answer(40_001, "[AUTH]错误的Key");
      if ([...String(title)].length > 32 || bytes(desp) > 32_000) return answer(40_002, "too long");
      const shown = withoutBackslashes(String(desp)).replaceAll("\n\n", "\n");
      return { shown: joined(title, shown), answer: answer(0, "") };
    },
    {
      config: () => ({ sendKey: "SCTsecret" }),
      wrong: () => ({ sendKey: "SCTwrong" }),
      replaces: "https://sctapi.ftqq.com",
      errorInside200: () => answer(40_001, "[AUTH]超过当天的发送次数限制"),
    },
  );
};

/** Answers status 200 to everything. */
export const pushplus = () => {
  const answer = (code: number, msg: string) => Response.json({ code, msg, data: null });
  return serve(
    ({ path }, { token, title, content, template }) => {
      if (path !== "/send" || token !== "tokensecret") return answer(903, "用户账号未找到");
      if (template !== "txt" || bytes(content) > 20_000 || String(title).length > 200) return answer(999, "参数错误");
      return { shown: joined(title, content), answer: answer(200, "请求成功") };
    },
    {
      config: () => ({ token: "tokensecret" }),
      wrong: () => ({ token: "tokenwrong" }),
      replaces: "https://www.pushplus.plus",
      errorInside200: () => answer(905, "账户未进行实名认证"),
    },
  );
};

export const pushover = () =>
  serve(
    ({ path }, body) => {
      const refused = (...errors: string[]) => Response.json({ status: 0, request: "r", errors }, { status: 400 });
      if (path !== "/1/messages.json") return refused("not found");
      if (body.token !== "appsecret") return refused("application token is invalid");
      if (body.user !== "usersecret") return refused("user identifier is not a valid user");
      if (String(body.message).length > 1024 || String(body.title).length > 250) return refused("message is too long");
      return { shown: joined(body.title, body.message), answer: Response.json({ status: 1, request: "r" }) };
    },
    {
      config: () => ({ token: "appsecret", user: "usersecret" }),
      wrong: () => ({ token: "appsecret", user: "wrong" }),
      replaces: "https://api.pushover.net",
      errorInside200: () => Response.json({ status: 0, errors: ["user identifier is not a valid user"] }),
    },
  );

/** `incidents` are the keys that are open. */
export const pagerduty = () => {
  const incidents = new Set<string>();
  const provider = serve(
    ({ path }, body) => {
      const refused = (...errors: string[]) =>
        Response.json({ status: "invalid event", message: "Event object is invalid", errors }, { status: 400 });
      if (path !== "/v2/enqueue" || body.routing_key !== "0123456789abcdef0123456789abcdef")
        return refused("'routing_key' is invalid");
      const { summary, source, severity, custom_details } = body.payload as Record<string, unknown>;
      if (!summary || !source || !["critical", "error", "warning", "info"].includes(String(severity)))
        return refused("'payload' is invalid");
      if (body.event_action === "trigger") incidents.add(String(body.dedup_key));
      else if (body.event_action === "resolve") incidents.delete(String(body.dedup_key));
      else return refused("'event_action' is invalid");
      const shown = joined(summary, (custom_details as { text: string }).text);
      const answer = { status: "success", message: "Event processed", dedup_key: body.dedup_key };
      return { shown, answer: Response.json(answer, { status: 202 }) };
    },
    {
      config: () => ({ routingKey: "0123456789abcdef0123456789abcdef" }),
      wrong: () => ({ routingKey: "ffffffffffffffffffffffffffffffff" }),
      replaces: "https://events.pagerduty.com",
      errorInside200: () => Response.json({ status: "invalid event", message: "Event object is invalid", errors: [] }),
    },
  );
  return Object.assign(provider, { incidents });
};

export const apprise = () =>
  serve(
    ({ path, headers }, { title, body, type, format }) => {
      if (path !== "/notify/ops") return new Response(null, { status: 204 });
      if (headers.accept !== "application/json" || format !== "text" || !type)
        return Response.json({ error: "Bad request" }, { status: 400 });
      return { shown: joined(title, body), answer: Response.json({ error: null, details: [] }) };
    },
    {
      config: (server) => ({ server, configKey: "ops" }),
      wrong: (server) => ({ server, configKey: "unknown" }),
      errorInside200: () => Response.json({ error: "One or more notification could not be sent", details: [] }),
    },
  );
