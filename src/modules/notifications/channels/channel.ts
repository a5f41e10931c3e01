import type { Config } from "../../../config";

/** A message in its plain form. Whoever sends it escapes it for where it lands. */
export type Message = { title: string; lines: string[]; link: string | null };

/** What a provider said. `refused` is for good; otherwise the same may work later, not before `retryAfter` seconds. */
export type Answer =
  | { sent: true; said: string }
  | { sent: false; said: string; refused: boolean; retryAfter?: number };

export type ChannelConfig = Record<string, string>;

/** One kind of channel. Adding one takes its file, a line in kinds.ts, and its form on the page. */
export type Channel = {
  /** The fields of its configuration that nobody may read back. */
  secrets: readonly string[];
  /** What is wrong with a configuration, by field: stable codes that the page translates. */
  problems: (config: ChannelConfig) => Record<string, string>;
  /** Sends one message. `key` stays the same when it is sent again. Throws when there is no answer. */
  send: (message: Message, config: ChannelConfig, key: string, settings: Config) => Promise<Answer>;
};

const PATIENCE = 10_000;
const MAX_ANSWER = 65_536;

/** One request to a provider, with its answer as far as it is JSON. Redirects are not followed. */
export const post = async (url: string, headers: Record<string, string>, body: object) => {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    redirect: "manual",
    signal: AbortSignal.timeout(PATIENCE),
  });
  const text = (await response.text()).slice(0, MAX_ANSWER);
  return {
    status: response.status,
    retryAfter: Number(response.headers.get("retry-after")) || undefined,
    answer: parse(text),
  };
};

const parse = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
};

/** A refusal by status: what is wrong with the request or its rights stays wrong; anything else may pass. */
export const refusal = (status: number, said: unknown, retryAfter?: number): Answer => {
  const reason = typeof said === "string" && said !== "" ? said.slice(0, 300) : "no reason given";
  const refused = status >= 400 && status < 500 && ![408, 425, 429].includes(status);
  return { sent: false, said: `${status}: ${reason}`, refused, ...(retryAfter && { retryAfter }) };
};
