import { type DeliveryError, deliveryError } from "../../../shared/notifications";
import type { DeliveryResult, Reply } from "./kind";

/** A provider's pause in seconds; undefined when it is missing or invalid. */
export const secondsOf = (value: unknown): number | undefined => {
  const seconds = Math.ceil(Number(value));
  return seconds > 0 && Number.isFinite(seconds) ? seconds : undefined;
};

/** The error for an answer other than success; `reason` is the provider's own, or empty. */
export const rejection = (status: number, reason: string): DeliveryError =>
  deliveryError(status === 429 ? "rate_limited" : "rejected", { status, ...(reason && { reply: reason }) });

/**
 * The meaning of a failed answer. A 4xx status with the provider's own reason is permanent and ends the delivery; without one
 * it may come from a proxy in between.
 */
export const refusal = (
  { status, retryAfter }: Pick<Reply, "status" | "retryAfter">,
  reason: unknown,
): DeliveryResult => {
  const hasReason = typeof reason === "string" && reason !== "";
  const refused = hasReason && status >= 400 && status < 500 && ![408, 425, 429].includes(status);
  const error = rejection(status, hasReason ? reason : "");
  return { sent: false, error, refused, ...(retryAfter && { retryAfter }) };
};

/**
 * The meaning of a 2xx answer: sent, if it has the provider's own sign of success, because errors may have status 200 as well.
 */
export const accepted = (reply: Reply, success: boolean, reason: unknown): DeliveryResult => {
  const isOk = reply.status >= 200 && reply.status < 300;
  if (isOk && success) return { sent: true, reply: "ok" };
  return refusal(reply, reason);
};

type Codes = {
  /** The members of the answer with the code and with the provider's message. */
  code: string;
  reason: string;
  /** The code of success. */
  sent: number;
  /** Codes that the same request always gets. */
  never: readonly number[];
  /** Seconds to wait after a code that says that too much was sent. */
  later?: Readonly<Record<number, number>>;
};

/** Judges by a code in the answer: these providers answer status 200 also to what they refuse. Unknown codes are retried. */
export const byCode =
  ({ code: codeName, reason, sent, never, later = {} }: Codes) =>
  (reply: Reply): DeliveryResult => {
    const { status, json, retryAfter } = reply;
    const code = json?.[codeName];
    if (typeof code !== "number") return refusal(reply, json?.[reason]);
    if (code === sent) return { sent: true, reply: "ok" };
    const words = [code, json?.[reason]].filter(Boolean).join(" ");
    const pause = later[code] ?? retryAfter;
    const error = deliveryError(code in later ? "rate_limited" : "rejected", { status, reply: words });
    return { sent: false, error, refused: never.includes(code), ...(pause && { retryAfter: pause }) };
  };
