import type { QuotaName } from "../shared/quotas";

/** One field that cannot be accepted, named as the request names it. */
export type FieldError = { path: string; message: string };

type Details = { errors?: FieldError[]; retryAfter?: number; quota?: { name: QuotaName; limit: number } };

/** A refusal that its caller may read: a status, a code that stays the same for good, and an English sentence. */
export class AppError extends Error {
  override name = "AppError";
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Details = {},
  ) {
    super(message);
  }
}

export const unauthorized = () => new AppError(401, "unauthorized", "Sign in to do this.");
export const forbidden = () => new AppError(403, "forbidden", "Only an administrator may do this.");
export const notFound = (what = "This") => new AppError(404, "not_found", `${what} does not exist.`);
export const conflict = (code: string, message: string) => new AppError(409, code, message);
const QUOTA_NOUNS: Record<QuotaName, string> = {
  monitors: "monitors",
  servers: "servers",
  channels: "channels",
  keys: "API keys",
  enrollment_tokens: "unused enrollment tokens",
};

/** A user's quota is reached; administrators have none. */
export const quotaReached = (name: QuotaName, limit: number) =>
  new AppError(
    409,
    "quota_reached",
    `The limit of ${limit} ${QUOTA_NOUNS[name]} for one user is reached. Delete some, or ask an administrator.`,
    { quota: { name, limit } },
  );
export const invalidId = () => new AppError(422, "invalid_id", "An id is a whole number above zero.");
export const validation = (errors: FieldError[]) =>
  new AppError(
    422,
    "validation",
    `Some fields are not acceptable: ${errors.map(({ message }) => message).join("; ")}.`,
    { errors },
  );
export const rateLimited = (retryAfter: number) =>
  new AppError(429, "rate_limited", `Too many attempts. Try again in ${retryAfter} seconds.`, { retryAfter });
export const unavailable = () => new AppError(503, "unavailable", "The database can't be written now. Try again soon.");
/** The hub itself lacks what it needs to make a request; nothing is known about the target. */
export const hubUnavailable = (reason: string) =>
  new AppError(
    503,
    "hub_unavailable",
    `Wakeful itself can't make this request now: ${reason}. No result was recorded.`,
  );

/** The wire form of a refusal. */
export const refusal = ({ code, message, details }: AppError) => ({
  success: false as const,
  code,
  message,
  ...(details.errors && { errors: details.errors }),
  ...(details.quota && { quota: details.quota.name, limit: details.quota.limit }),
});

/**
 * What may be logged of an unexpected error: the first line of its root cause. Drizzle's own message holds the
 * statement's values, passwords' hashes among them, so it is passed over.
 */
export const describeError = (error: unknown): string => {
  let root = error;
  while (root instanceof Error && root.cause) root = root.cause;
  if (!(root instanceof Error)) return String(root).slice(0, 200);
  return root.message.startsWith("Failed query")
    ? root.name
    : `${root.name}: ${root.message.split("\n")[0]?.slice(0, 300)}`;
};
