import type { Config } from "../../../core/config";
import type { Outbound } from "../../../probe/outbound";

/** A message in its plain form. Whoever sends it escapes it for where it lands. */
export type Message = { title: string; lines: string[]; link: string | null };

/** What a provider said. `refused` is for good; otherwise the same may work later, not before `retryAfter` seconds. */
export type DeliveryResult =
  | { sent: true; said: string }
  | { sent: false; said: string; refused: boolean; retryAfter?: number };

export type ChannelConfig = Record<string, string>;

/** Where providers are, and how they are reached. */
export type Settings = Pick<Config, "telegramApiUrl" | "resendApiUrl"> & { outbound: Outbound };

/** One kind of channel. Adding one takes its file, a line in kinds.ts, and its form on the page. */
export type Channel = {
  /** Every field of its configuration, with the most characters that it may have. Others are not stored. */
  fields: Readonly<Record<string, number>>;
  /** The fields of its configuration that nobody may read back. */
  secrets: readonly string[];
  /** What is wrong with a configuration, by field: stable codes that the page translates. */
  problems: (config: ChannelConfig) => Record<string, string>;
  /** Sends one message. `key` stays the same when it is sent again. Throws when there is no answer. */
  send: (message: Message, config: ChannelConfig, key: string, settings: Settings) => Promise<DeliveryResult>;
};

/** How long a provider may take to answer, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 10_000;
const MAX_ANSWER = 65_536;

/** What a provider answered: `json` as far as it is an object. */
export type Reply = { status: number; retryAfter: number | undefined; json: Record<string, unknown> | null };

/** The API addresses are settings, so private ones are allowed. */
const CALLER = { key: "deliveries", lookups: 64, allowPrivate: true };

/** One request to a provider. Redirects are not followed, and of a long answer only the beginning is read. */
export const post = async (
  outbound: Outbound,
  url: string,
  headers: Record<string, string>,
  body: object,
): Promise<Reply> => {
  const response = await outbound.request({
    url: new URL(url),
    method: "POST",
    headers: new Headers({ "content-type": "application/json", ...headers }),
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    caller: CALLER,
  });
  const text = await readStart(response);
  return { status: response.status, retryAfter: secondsOf(response.headers.get("retry-after")), json: parse(text) };
};

const readStart = async ({ body }: Response): Promise<string> => {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_ANSWER) break;
  }
  return text;
};

const parse = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
};

/** A pause in seconds as a provider names it, or nothing where it names none that makes sense. */
export const secondsOf = (value: unknown): number | undefined => {
  const seconds = Math.ceil(Number(value));
  return seconds > 0 && Number.isFinite(seconds) ? seconds : undefined;
};

/**
 * What a reply other than a yes means. What is wrong with the request or its rights stays wrong, if it is the provider
 * who says so: a page of some proxy in between may be another one soon.
 */
export const refusal = ({ status, retryAfter }: Omit<Reply, "json">, reason: unknown): DeliveryResult => {
  const told = typeof reason === "string" && reason !== "";
  const refused = told && status >= 400 && status < 500 && ![408, 425, 429].includes(status);
  const said = `${status}: ${told ? reason : "no reason given"}`;
  return { sent: false, said, refused, ...(retryAfter && { retryAfter }) };
};
