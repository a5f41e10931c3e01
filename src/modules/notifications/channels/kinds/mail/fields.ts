import type { ChannelField } from "../../../../../shared/channel-fields";
import { EMAIL } from "../../../../../shared/limits";

const ADDRESS = EMAIL.source.slice(1, -1);

/** Who a mail is from. */
export const SENDER = {
  name: "from",
  label: "sender",
  type: "text",
  required: true,
  maxLength: 500,
  // Nothing in it could start another header.
  pattern: `[^<>\\r\\n"]{1,200}\\s<${ADDRESS}>|${ADDRESS}`,
  expected: "an address, or Name <address>",
  example: "Wakeful <alerts@example.com>",
  code: "sender",
} as const satisfies ChannelField;

/** Whom a mail is for. */
export const RECIPIENTS = {
  name: "to",
  label: "recipient",
  type: "list",
  required: true,
  maxLength: 2000,
  pattern: ADDRESS,
  expected: "e-mail addresses, separated by commas",
  example: "alice@example.com, bob@example.com",
  code: "recipient",
} as const satisfies ChannelField;
