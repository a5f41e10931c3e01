import * as chats from "./channel-providers";
import * as pushes from "./push-providers";

const { serveProvider: _, withoutBackslashes: __, ...chatProviders } = chats;

/** The providers of channels by kind, without those that have tests of their own: Telegram, Resend, webhooks and SMTP. */
export const PROVIDERS: Readonly<Record<string, () => chats.Provider>> = { ...chatProviders, ...pushes };
