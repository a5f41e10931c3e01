import { createHmac } from "node:crypto";
import type { ChannelConfig } from "../../shared/channel-fields";
import { START } from "../clock";
import { type Seen, serveTarget } from "./targets";

type Json = Record<string, unknown>;

/** A provider that verifies requests as its documentation says. */
export type Provider = {
  /** A valid configuration, and one with refused credentials. */
  config: ChannelConfig;
  wrong: ChannelConfig;
  /** The value of PROVIDER_ORIGINS that redirects to its own address; empty if the configuration has an address. */
  origins: string;
  requests: Seen[];
  /** The messages that it accepted, as a reader sees them. */
  shown: string[];
  /** Makes it answer this from now on. */
  answerWith: (response: () => Response) => void;
  /** Its answer with status 200 to something that it does not accept. */
  errorInside200: () => Response;
};

type Check = (seen: Seen, body: Json) => { shown: string; answer: Response } | Response;
type Options = Pick<Provider, "errorInside200"> & {
  config: (origin: string) => ChannelConfig;
  wrong: (origin: string) => ChannelConfig;
  replaces?: string;
};

const serve = (check: Check, { config, wrong, replaces, errorInside200 }: Options): Provider => {
  const shown: string[] = [];
  let other: (() => Response) | undefined;
  const { origin, requests } = serveTarget((_, seen) => {
    if (other) return other();
    if (seen.headers["content-type"] !== "application/json") return new Response("expected JSON", { status: 415 });
    const result = check(seen, JSON.parse(seen.body) as Json);
    if (result instanceof Response) return result;
    shown.push(result.shown);
    return result.answer;
  });
  return {
    config: config(origin),
    wrong: wrong(origin),
    origins: replaces ? `${replaces}=${origin}` : "",
    requests,
    shown,
    answerWith: (response) => {
      other = response;
    },
    errorInside200,
  };
};

const withoutEntities = (text: string) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
const withoutBackslashes = (text: string) => text.replace(/\\([!-/:-@[-`{-~])/g, "$1");
const bytes = (text: unknown) => Buffer.byteLength(String(text));

type Attachment = { color?: string; text?: string; mrkdwn_in?: unknown[] };
const attachmentOf = (body: Json): Attachment => (body.attachments as Attachment[])[0] ?? {};

const hook = (path: string) => ({
  config: (origin: string) => ({ url: origin + path }),
  wrong: (origin: string) => ({ url: `${origin}/wrong` }),
});

export const slack = () =>
  serve(
    ({ path }, body) => {
      if (path !== "/services/T0/B0/secret") return new Response("no_service", { status: 404 });
      const { text = "", color, mrkdwn_in } = attachmentOf(body);
      if (!text || !color || mrkdwn_in?.length !== 0) return new Response("invalid_payload", { status: 400 });
      if (/[<>]|&(?!amp;|lt;|gt;)/.test(text)) return new Response("invalid_payload", { status: 400 });
      return { shown: withoutEntities(text), answer: new Response("ok") };
    },
    { ...hook("/services/T0/B0/secret"), errorInside200: () => new Response("invalid_payload") },
  );

export const mattermost = () =>
  serve(
    ({ path }, body) => {
      const { text = "" } = attachmentOf(body);
      if (path !== "/hooks/secret")
        return Response.json({ id: "web.incoming", message: "Invalid webhook" }, { status: 400 });
      if (!text || text.length > 16_383) return Response.json({ message: "Too long" }, { status: 400 });
      return { shown: withoutBackslashes(text), answer: new Response("ok") };
    },
    { ...hook("/hooks/secret"), errorInside200: () => Response.json({ id: "web", message: "Invalid webhook" }) },
  );

export const rocketchat = () =>
  serve(
    ({ path }, body) => {
      const refused = (error: string) => Response.json({ success: false, error }, { status: 400 });
      const { text = "" } = attachmentOf(body);
      if (path !== "/hooks/1/secret") return refused("invalid-token");
      return text ? { shown: withoutBackslashes(text), answer: Response.json({ success: true }) } : refused("empty");
    },
    {
      ...hook("/hooks/1/secret"),
      errorInside200: () => Response.json({ success: false, error: "channel is archived" }),
    },
  );

export const discord = () =>
  serve(
    ({ path }, { embeds, allowed_mentions }) => {
      if (!path.startsWith("/api/webhooks/1/secret"))
        return Response.json({ message: "Unknown Webhook", code: 10_015 }, { status: 404 });
      const [embed] = embeds as { description: string; color: number; timestamp: string }[];
      const { parse } = allowed_mentions as { parse: unknown[] };
      const text = embed?.description ?? "";
      if (!text || text.length > 4096 || parse.length > 0 || Number.isNaN(Date.parse(embed?.timestamp ?? "")))
        return Response.json({ message: "Invalid Form Body", code: 50_035 }, { status: 400 });
      // Without wait=true it answers 204 also to what it does not save.
      if (!path.endsWith("?wait=true")) return new Response(null, { status: 204 });
      return { shown: withoutBackslashes(text), answer: Response.json({ id: "1190", type: 0 }) };
    },
    {
      ...hook("/api/webhooks/1/secret"),
      errorInside200: () => Response.json({ message: "You are being blocked", code: 40_333 }),
    },
  );

export const teams = () =>
  serve(
    ({ path }, body) => {
      if (path !== "/workflows/1?sig=secret")
        return Response.json(
          { error: { code: "WorkflowNotFound", message: "The workflow was not found." } },
          { status: 404 },
        );
      const { contentType, content } = (body.attachments as { contentType: string; content: Json }[])[0] ?? {};
      const blocks = content?.body as { type: string; inlines: { type: string; text: string }[] }[];
      const isCard = contentType === "application/vnd.microsoft.card.adaptive" && content?.type === "AdaptiveCard";
      const isText = blocks?.every(({ type, inlines }) => type === "RichTextBlock" && inlines[0]?.type === "TextRun");
      if (body.type !== "message" || !isCard || !isText || bytes(JSON.stringify(body)) > 28_000)
        return Response.json({ error: { message: "Bad request" } }, { status: 400 });
      const shown = blocks.map(({ inlines }) => inlines[0]?.text).join("\n");
      return { shown, answer: new Response(null, { status: 202 }) };
    },
    {
      ...hook("/workflows/1?sig=secret"),
      errorInside200: () => new Response("Webhook message delivery failed with error: HTTP error 429"),
    },
  );

export const googlechat = () =>
  serve(
    ({ path }, body) => {
      const url = new URL(path, "http://x");
      const refused = (message: string) => Response.json({ error: { code: 400, message } }, { status: 400 });
      if (url.searchParams.get("token") !== "secret") return refused("Invalid token");
      if (!url.searchParams.has("messageReplyOption") || !(body.thread as Json)?.threadKey) return refused("No thread");
      const [{ card }] = body.cardsV2 as [{ card: { header: { title: string }; sections: Json[] } }];
      const [{ textParagraph }] = (card.sections[0] as Json).widgets as [{ textParagraph: { text: string } }];
      if (/[<>]/.test(textParagraph.text) || bytes(JSON.stringify(body)) > 32_000) return refused("Invalid card");
      const shown = `${card.header.title}\n${withoutEntities(textParagraph.text)}`;
      return { shown, answer: Response.json({ name: "spaces/A/messages/B" }) };
    },
    {
      config: (origin) => ({ url: `${origin}/v1/spaces/A/messages?key=k&token=secret` }),
      wrong: (origin) => ({ url: `${origin}/v1/spaces/A/messages?key=k&token=wrong` }),
      errorInside200: () => Response.json({ error: { code: 429, message: "Resource has been exhausted" } }),
    },
  );

export const matrix = () => {
  const taken = new Set<string>();
  return serve(
    ({ method, path, headers }, body) => {
      const error = (status: number, errcode: string, text: string) =>
        Response.json({ errcode, error: text }, { status });
      const [, room, transaction] =
        /^\/_matrix\/client\/v3\/rooms\/([^/]+)\/send\/m\.room\.message\/([^/]+)$/.exec(path) ?? [];
      if (method !== "PUT" || !transaction) return error(404, "M_UNRECOGNIZED", "Unrecognized request");
      if (headers.authorization !== "Bearer syt_secret") return error(401, "M_UNKNOWN_TOKEN", "Unknown token");
      if (decodeURIComponent(room ?? "") !== "!room:example.org") return error(403, "M_FORBIDDEN", "Not in the room");
      if (body.msgtype !== "m.text" || bytes(body.body) > 60_000) return error(400, "M_BAD_JSON", "Bad event");
      const answer = Response.json({ event_id: "$event" });
      if (taken.has(transaction)) return answer;
      taken.add(transaction);
      return { shown: String(body.body), answer };
    },
    {
      config: (server) => ({ server, accessToken: "syt_secret", room: "!room:example.org" }),
      wrong: (server) => ({ server, accessToken: "syt_wrong", room: "!room:example.org" }),
      errorInside200: () => Response.json({ errcode: "M_FORBIDDEN", error: "Not in the room" }),
    },
  );
};

const SECRET = "SEC0123456789abcdef";

/** A DingTalk robot with a signature, which is shut for ten minutes after 20 messages in one minute of `now`. */
export const dingtalk = (now: () => number = () => START) => {
  const times: number[] = [];
  let shutUntil = 0;
  const answer = (errcode: number, errmsg: string) => Response.json({ errcode, errmsg });
  return serve(
    ({ path }, body) => {
      const { pathname, searchParams } = new URL(path, "http://x");
      if (pathname !== "/robot/send" || searchParams.get("access_token") !== "secret")
        return answer(300_005, "token is not exist");
      const time = searchParams.get("timestamp");
      const sign = createHmac("sha256", SECRET).update(`${time}\n${SECRET}`).digest("base64");
      if (searchParams.get("sign") !== sign || Math.abs(Number(time) - now()) > 3_600_000)
        return answer(310_000, "sign not match, more: [https://ding-doc.dingtalk.com]");
      if (now() < shutUntil) return answer(130_101, "send too fast, exceed 20 times per minute");
      times.push(now());
      if (times.filter((at) => at > now() - 60_000).length > 20) {
        shutUntil = now() + 600_000;
        return answer(130_101, "send too fast, exceed 20 times per minute");
      }
      const { content } = body.text as { content: string };
      if (body.msgtype !== "text" || !content || bytes(content) > 20_000) return answer(40_035, "invalid parameter");
      return { shown: content, answer: answer(0, "ok") };
    },
    {
      config: (origin) => ({ url: `${origin}/robot/send?access_token=secret`, secret: SECRET }),
      wrong: (origin) => ({ url: `${origin}/robot/send?access_token=secret`, secret: "SECwrong" }),
      errorInside200: () => answer(310_000, "keywords not in content"),
    },
  );
};

/** A WeCom group robot, which takes 20 messages in one minute of `now`. */
export const wecom = (now: () => number = () => START) => {
  const times: number[] = [];
  const answer = (errcode: number, errmsg: string) => Response.json({ errcode, errmsg });
  return serve(
    ({ path }, body) => {
      if (path !== "/cgi-bin/webhook/send?key=secret") return answer(93_000, "invalid webhook url");
      times.push(now());
      if (times.filter((at) => at > now() - 60_000).length > 20) return answer(45_009, "api freq out of limit");
      const { content } = body.text as { content: string };
      if (body.msgtype !== "text" || !content || bytes(content) > 2048) return answer(40_058, "text exceed max length");
      return { shown: content, answer: answer(0, "ok") };
    },
    { ...hook("/cgi-bin/webhook/send?key=secret"), errorInside200: () => answer(93_000, "invalid webhook url") },
  );
};

/** A bot of Feishu with a signature. */
export const feishu = (now: () => number = () => START) => {
  const answer = (code: number, msg: string) => Response.json({ code, msg, data: {} });
  return serve(
    ({ path }, body) => {
      if (path !== "/open-apis/bot/v2/hook/secret")
        return answer(19_001, "param invalid: incoming webhook access token invalid");
      const sign = createHmac("sha256", `${body.timestamp}\nbot-secret`).update("").digest("base64");
      if (body.sign !== sign || Math.abs(Number(body.timestamp) * 1000 - now()) > 3_600_000)
        return answer(19_021, "sign match fail or timestamp is not within one hour from current time");
      const { header, elements } = body.card as Json & { header: { title: Json }; elements: { text: Json }[] };
      const isPlain = header.title.tag === "plain_text" && elements[0]?.text.tag === "plain_text";
      if (body.msg_type !== "interactive" || !isPlain || bytes(JSON.stringify(body)) > 20_000)
        return answer(9499, "Bad Request");
      return { shown: `${header.title.content}\n${elements[0]?.text.content}`, answer: answer(0, "success") };
    },
    {
      config: (origin) => ({ url: `${origin}/open-apis/bot/v2/hook/secret`, secret: "bot-secret" }),
      wrong: (origin) => ({ url: `${origin}/open-apis/bot/v2/hook/secret`, secret: "wrong" }),
      errorInside200: () => answer(19_024, "Key Words Not Found"),
    },
  );
};

export { serve as serveProvider, withoutBackslashes };
