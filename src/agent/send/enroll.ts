import type { Registration } from "../../shared/report";
import type { Logger } from "../output";
import type { Enrollment } from "../state";
import { FatalError } from "../state";
import type { Time } from "../time";
import { pauseAfter, type ReportResult, sendRequest } from "./hub-client";

const REASONS: Record<string, string> = {
  token_invalid: "it knows no such token. Copy it again from the page that adds a server",
  token_used: "the token was used already. Make a new one on the page that adds a server",
  token_expired: "the token has expired. Make a new one on the page that adds a server",
};

export const tokenHash = (token: string): string => new Bun.CryptoHasher("sha256").update(token).digest("hex");

const enrollmentOf = (
  answer: ReportResult & { kind: "accepted" },
  server: string,
  token: string,
): Enrollment | null => {
  const { agent, key } = answer.body as { agent?: { id?: unknown }; key?: unknown };
  const id = Number(agent?.id);
  if (!Number.isSafeInteger(id) || typeof key !== "string" || !/^[\x21-\x7e]{1,1024}$/.test(key)) return null;
  return { server, agent: id, key, token: tokenHash(token) };
};

type EnrollOptions = {
  server: string;
  registration: Registration;
  time: Time;
  log: Logger;
  signal: AbortSignal;
};

/**
 * Exchanges the token for a report key, retrying while the hub is unreachable. Returns null when the signal
 * aborts.
 * @throws {FatalError} when the hub refuses the token
 */
export const enroll = async ({
  server,
  registration,
  time,
  log,
  signal,
}: EnrollOptions): Promise<Enrollment | null> => {
  const body = JSON.stringify(registration);
  let lastReason = "";
  for (let failures = 1; ; failures++) {
    const answer = await sendRequest(server, { path: "api/agents/register", body, signal });
    if (signal.aborted && answer.kind === "unavailable") return null;
    if (answer.kind === "refused")
      throw new FatalError(
        `${server} does not take this machine: ${(REASONS[answer.code] ?? answer.message).replace(/\.$/, "")}.`,
      );
    const enrollment = answer.kind === "accepted" && enrollmentOf(answer, server, registration.token);
    if (enrollment) return enrollment;
    const [reason, retryAfter] =
      answer.kind === "unavailable" ? [answer.reason, answer.retryAfter] : ["it gives no key, as a console would", 0];
    if (reason !== lastReason) log(`Cannot enroll at ${server} yet: ${reason}. Trying again until it works.`);
    lastReason = reason;
    await time.sleep(pauseAfter(failures, retryAfter), signal);
    if (signal.aborted) return null;
  }
};
