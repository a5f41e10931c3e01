/** Bounds that hub and page both validate. */
export const LIMITS = {
  username: 64,
  email: 254,
  passwordMin: 8,
  passwordMax: 256,
  keyName: 100,
  passkeyName: 64,
  /** Passkeys of one user. */
  passkeys: 10,
  /** Addresses of the wall, and ping keys, that a user has. */
  wallKeys: 20,
  pingKeys: 20,
  monitorName: 200,
  url: 2048,
  host: 253,
  headers: 50,
  headerValue: 8192,
  body: 65_536,
  /** Bytes that a check of a port or a WebSocket sends, and that its answer must have. */
  sentBytes: 1024,
  expectedBytes: 256,
  /** The login of a check at a database, in characters. */
  loginUser: 128,
  loginPassword: 512,
  /** Bytes of all header names and values of a monitor together, in UTF-8. */
  headersBytes: 16_384,
  /** The first bytes of the body of a ping that are kept. */
  pingBody: 10_000,
  /** Items in one answer of a list; fewer if it includes headers and bodies of monitors. */
  listed: 1000,
  listedInFull: 50,
  /** Seconds. */
  /** The least that MIN_INTERVAL allows. */
  intervalMin: 10,
  intervalMax: 86_400,
  timeoutMax: 300,
  retriesMax: 10,
  retryPauseMax: 60,
} as const;

/** Names of quotas, as in answers of the API. */
export const QUOTA_NAMES = ["monitors", "servers", "channels", "keys", "enrollment_tokens"] as const;
export type QuotaName = (typeof QUOTA_NAMES)[number];

/** Catches typing errors only; a delivered message proves an address. */
export const EMAIL = /^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+\.[^\s@<>(),;:"[\]\\.]+$/;

/** No encoded words (RFC 2047): decoded, they could hold any character. */
const PLAIN = "(?!.*=\\?)";
const ADDRESS = EMAIL.source.slice(1, -1);
/** The address of a mail, and its sender: an address, or Name <address>. Nothing in them could start another header. */
export const MAIL = {
  address: `${PLAIN}${ADDRESS}`,
  sender: `${PLAIN}(?:[^<>\\r\\n"]{1,200}\\s<${ADDRESS}>|${ADDRESS})`,
};

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The longest range of charts and totals in days. */
export const MAX_RANGE_DAYS = 400;
