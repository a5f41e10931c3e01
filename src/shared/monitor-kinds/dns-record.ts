/** The types of DNS records that can be checked. */
export const RECORD_TYPES = ["A", "AAAA", "CNAME", "MX", "NS", "TXT", "SRV", "SOA", "CAA", "PTR"] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/**
 * How the records of an answer are compared with the expected values: they are those values and no others, they have all
 * of them, or they have at least one of them.
 */
export const EXPECT_OPS = ["equals", "contains", "any"] as const;
export type ExpectOp = (typeof EXPECT_OPS)[number];
export type Expectation = { op: ExpectOp; values: string[] };

/** Records of an answer that are kept, and characters of each. */
export const MAX_KEPT = 20;
export const MAX_KEPT_LENGTH = 255;

/** Expected values of one monitor, and characters of each. */
export const MAX_EXPECTED = 20;
export const MAX_EXPECTED_LENGTH = 512;
