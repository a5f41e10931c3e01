import { type Static, t } from "elysia";
import { field, oneOf, whole } from "../../../server/schema";
import { LANGUAGES } from "../../../shared/language";
import { LIMITS, MAIL } from "../../../shared/limits";
import { SUBSCRIBER_LIMITS } from "../../../shared/status/subscribers";

const emailField = field(
  t.String({ pattern: `^${MAIL.address}$`, maxLength: LIMITS.email, error: "expected an e-mail address" }),
  "The address that gets mails; or `url`.",
  "dora@example.com",
);
const urlField = field(
  t.String({ maxLength: SUBSCRIBER_LIMITS.url, error: "expected an http:// or https:// address" }),
  "The address that gets webhooks.",
);
const languageField = field(oneOf(LANGUAGES), "The language of mails; by default that of the request.", "en-US");

export const subscribeModel = t.Object({
  email: t.Optional(emailField),
  url: t.Optional(urlField),
  components: t.Optional(
    field(
      t.Array(t.String({ maxLength: 40 }), {
        maxItems: SUBSCRIBER_LIMITS.components,
        error: `expected a list of at most ${SUBSCRIBER_LIMITS.components} keys of components`,
      }),
      "Keys of components: only what is about these is sent. All by default.",
    ),
  ),
  language: t.Optional(languageField),
});
export type SubscribeBody = Static<typeof subscribeModel>;

export const subscribersQuery = t.Object({
  search: t.Optional(field(t.String({ maxLength: 200 }), "Only those with this in their address.")),
  limit: t.Optional(field(whole(1, 200), "1 to 200; 50 by default.")),
  offset: t.Optional(field(whole(0, 1_000_000), "How many to skip.")),
});
export type SubscribersQuery = Static<typeof subscribersQuery>;

export const subscriberParams = t.Object({
  id: field(whole(1, Number.MAX_SAFE_INTEGER), "The page's id.", 1),
  subscriber: field(whole(1, Number.MAX_SAFE_INTEGER), "The subscriber's id.", 7),
});
