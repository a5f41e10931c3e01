/** What one request found. */
export type Outcome = {
  up: boolean;
  /** Milliseconds from before name resolution until the answer was complete; null without an answer. */
  responseTime: number | null;
  /** Of an HTTP answer. */
  statusCode: number | null;
  /** Null when up; otherwise a sentence that begins with a stable word; see errors.ts. */
  error: string | null;
  /** Epoch milliseconds. */
  certExpiresAt: number | null;
};
