/** The scopes of API keys; a key may have several. `write` includes all others. */
export const KEY_SCOPES = [
  "read",
  "ack",
  "ping",
  "publish",
  "enroll",
  "channels",
  "maintain",
  "apply",
  "write",
] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The scopes of a stored key. `full` is `write` of keys made without a list of scopes: it has neither `enroll` nor `channels`. */
export const STORED_SCOPES = [...KEY_SCOPES, "full"] as const;
export type StoredScope = (typeof STORED_SCOPES)[number];

export const isKeyScope = (word: string): word is KeyScope => KEY_SCOPES.some((scope) => scope === word);

const NOT_IN_FULL: readonly KeyScope[] = ["enroll", "channels"];

/** Whether a key with these scopes has one of the wanted ones. */
export const hasScope = (scopes: readonly StoredScope[], wanted: readonly KeyScope[]): boolean =>
  scopes.includes("write") ||
  wanted.some((scope) => scopes.includes(scope) || (scopes.includes("full") && !NOT_IN_FULL.includes(scope)));
