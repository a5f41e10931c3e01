/** Fields that several kinds have. */
import type { ChannelField } from "../../../../shared/channel-fields";
import { MAIL } from "../../../../shared/limits";

const MAX_URL = 2000;

/** An address that holds its own credentials, as providers make it for one chat. */
export const secretUrl = (expected: string, example: string) =>
  ({
    ...{ name: "url", label: "webhook URL", type: "url", required: true, secret: true, maxLength: MAX_URL },
    ...{ expected, example },
  }) as const satisfies ChannelField;

/** The address of a server that the user may run. */
export const serverUrl = (expected: string, example: string) =>
  ({
    ...{ name: "server", label: "server", type: "url", required: true, maxLength: MAX_URL },
    ...{ expected, example },
  }) as const satisfies ChannelField;

/** What may be sent in a header. */
export const HEADER_TEXT = { pattern: "[!-~]+", expected: "visible ASCII characters" } as const;

/** Who a mail is from. */
export const SENDER = {
  name: "from",
  label: "sender",
  type: "text",
  required: true,
  maxLength: 500,
  pattern: MAIL.sender,
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
  pattern: MAIL.address,
  expected: "e-mail addresses, separated by commas",
  example: "alice@example.com, bob@example.com",
  code: "recipient",
} as const satisfies ChannelField;
