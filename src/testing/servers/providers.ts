import { serveTarget } from "./targets";

type Json = Record<string, unknown>;
type Reply = Response | Promise<Response>;
type Call<T> = { sent: T; number: number };

export const BOT_TOKEN = `123456:${"aBc-_".repeat(7)}`;
export const API_KEY = "re_Secret_0123456789abcdef";

const parse = (text: string): Json => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {};
  }
};

export type TelegramMessage = { token: string; chat: string; text: string };

export const telegramError = (code: number, description: string, parameters?: Json): Response =>
  Response.json({ ok: false, error_code: code, description, ...(parameters && { parameters }) }, { status: code });

const telegramAnswer = ({ chat_id, text }: Json, number: number): Response =>
  Response.json({
    ok: true,
    result: { message_id: number, date: 1, chat: { id: chat_id, type: "private" }, text },
  });

/** Telegram's error for an invalid sendMessage, or null. */
const telegramProblem = (method: string, type: string, { chat_id, text, ...options }: Json): string | null => {
  if (method !== "POST" || type !== "application/json") return "Bad Request: message text is empty";
  if (typeof chat_id !== "string" || chat_id === "") return "Bad Request: chat_id is empty";
  if (typeof text !== "string" || text.trim() === "") return "Bad Request: message text is empty";
  if (!text.isWellFormed()) return "Bad Request: strings must be encoded in UTF-8";
  if (text.length > 4096) return "Bad Request: message is too long";
  const unknown = Object.keys(options).filter((name) => name !== "link_preview_options");
  return unknown.length > 0 ? `Bad Request: unknown ${unknown}` : null;
};

/** A Bot API server that validates requests as documented. `answer` may replace its success answer. */
export const serveTelegram = (answer: (call: Call<TelegramMessage>) => Reply | null = () => null) => {
  const messages: TelegramMessage[] = [];
  const target = serveTarget((_, { method, path, headers, body }) => {
    const [, token] = /^\/bot(\d+:[\w-]{30,})\/sendMessage$/.exec(path) ?? [];
    if (!token) return telegramError(404, "Not Found");
    const sent = parse(body);
    const problem = telegramProblem(method, headers["content-type"] ?? "", sent);
    if (problem) return telegramError(400, problem);
    messages.push({ token, chat: String(sent.chat_id), text: String(sent.text) });
    const message = messages.at(-1) as TelegramMessage;
    return answer({ sent: message, number: messages.length }) ?? telegramAnswer(sent, messages.length);
  });
  return Object.assign(target, { messages, texts: () => messages.map(({ text }) => text) });
};

type Mail = { from: string; to: string[]; subject: string; text: string; html: string };

export const resendError = (status: number, name: string, message: string, headers: HeadersInit = {}): Response =>
  Response.json({ statusCode: status, name, message }, { status, headers });

const resendProblem = ({ from, to, subject, text, html, ...options }: Json): string | null => {
  if (typeof from !== "string" || !/@/.test(from)) return "Invalid `from` field.";
  if (!Array.isArray(to) || to.length < 1 || to.length > 50) return "Invalid `to` field.";
  if (typeof subject !== "string" || /[\r\n]/.test(subject)) return "The `\\n` is not allowed in the `subject` field.";
  if (typeof text !== "string" || typeof html !== "string") return "Missing `html` or `text` field.";
  return Object.keys(options).length > 0 ? `Unknown fields: ${Object.keys(options)}` : null;
};

/** Resend's mail API with idempotency keys. `mails` are those that are sent. */
export const serveResend = (answer: (call: Call<Mail>) => Reply | null = () => null) => {
  const mails: Mail[] = [];
  const taken = new Map<string, { body: string; id: string }>();
  let number = 0;
  const target = serveTarget((_, { method, path, headers, body }) => {
    if (path !== "/emails" || method !== "POST") return resendError(405, "method_not_allowed", "Method not allowed");
    if (headers.authorization !== `Bearer ${API_KEY}`) return resendError(401, "invalid_api_key", "API key is invalid");
    if (headers["content-type"] !== "application/json") return resendError(422, "validation_error", "Not JSON");
    const key = headers["idempotency-key"] ?? "";
    if (key.length < 1 || key.length > 256) return resendError(400, "invalid_idempotency_key", "1 to 256 characters");
    const sent = parse(body);
    const problem = resendProblem(sent);
    if (problem) return resendError(422, "validation_error", problem);
    const before = taken.get(key);
    if (before && before.body !== body) {
      return resendError(
        409,
        "invalid_idempotent_request",
        "Same idempotency key used with a different request payload.",
      );
    }
    if (before) return Response.json({ id: before.id });
    const mail = sent as unknown as Mail;
    const other = answer({ sent: mail, number: ++number });
    if (other) return other;
    const id = crypto.randomUUID();
    taken.set(key, { body, id });
    mails.push(mail);
    return Response.json({ id });
  });
  return Object.assign(target, { mails });
};
