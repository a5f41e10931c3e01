const reasons = ["timeout", "dns", "refused", "reset", "tls", "redirects", "blocked", "invalid", "status"] as const;
export type Reason = (typeof reasons)[number];

/** A check's error begins with a word that stays the same; the rest is detail. */
export const reasonOf = (error: string): Reason | undefined => {
  const word = /^[a-z]+/.exec(error)?.[0];
  return reasons.find((reason) => reason === word);
};
