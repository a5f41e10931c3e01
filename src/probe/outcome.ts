import type { CheckError } from "../shared/check-error";

/** What one request found. */
export type Outcome = {
  up: boolean;
  /** Milliseconds from before name resolution until the answer was complete; null without an answer. */
  responseTime: number | null;
  /** Of an HTTP answer. */
  statusCode: number | null;
  /** Null when up. */
  error: CheckError | null;
  /** Epoch milliseconds. */
  certExpiresAt: number | null;
};
