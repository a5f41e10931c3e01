import { createHmac, timingSafeEqual } from "node:crypto";
import { type Seen, serveTarget } from "./targets";

type Options = {
  /** Verifies the signature of each request, as docs/webhooks.md describes it. */
  secret?: string;
  /** Seconds since 1970; requests that were signed more than five minutes before or after are refused. */
  now?: () => number;
  answer?: (seen: Seen) => Response | Promise<Response>;
};

const isSigned = (secret: string, { headers, body }: Seen, now: number): boolean => {
  const [, time, signatures = ""] = /^t=(\d+)((?:,v1=[0-9a-f]{64})+)$/.exec(headers["x-wakeful-signature"] ?? "") ?? [];
  if (!time || Math.abs(now - Number(time)) > 300) return false;
  const expected = createHmac("sha256", secret).update(`${time}.${body}`).digest();
  return signatures
    .split(",v1=")
    .slice(1)
    .some((signature) => timingSafeEqual(expected, Buffer.from(signature, "hex")));
};

/** A receiver of webhooks that records the payloads it accepts. */
export const serveWebhook = ({ secret, now = () => 0, answer = () => new Response("thanks") }: Options = {}) => {
  const accepted: Record<string, unknown>[] = [];
  const target = serveTarget((_, seen) => {
    if (seen.method !== "POST") return new Response("expected POST", { status: 405 });
    if (secret !== undefined && !isSigned(secret, seen, now())) return new Response("bad signature", { status: 401 });
    accepted.push(JSON.parse(seen.body));
    return answer(seen);
  });
  return Object.assign(target, { accepted });
};
