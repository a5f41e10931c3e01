import type { Words } from "../../zh-CN";
import type { subscribe as zhCN } from "../../zh-CN/pages/subscribe";

export const subscribe: Words<typeof zhCN> = {
  title: "Subscribe to updates",
  ways: "How to subscribe",
  email: "Email",
  webhook: "Webhook",
  feed: "Feed",
  calendar: "Calendar",
  emailAbout: "Get a mail about incidents and planned maintenance. A link in the first mail confirms your address.",
  emailLabel: "Email address",
  webhookAbout:
    "Messages in the form of Atlassian Statuspage are posted to this address, signed, about incidents, components and planned maintenance. It confirms by answering the first one.",
  webhookLabel: "URL",
  feedAbout: "Incidents and outages as an Atom feed, for your feed reader.",
  calendarAbout: "Planned maintenance of the next year, for your calendar program.",
  copy: "Copy address",
  copied: "Copied",
  open: "Open",
  some: "Only about some components",
  submit: "Subscribe",
  sending: "Sending…",
  close: "Close",
  sent: "Check your inbox",
  sentText: "If this address can be subscribed, a mail with the next step is on its way. The link works for 24 hours.",
  sentHook: "The first message is on its way",
  sentHookText:
    "An answer of 2xx to it confirms the subscription. It has the secret for signatures and the link to unsubscribe.",
  failed: "This did not work. Please try again.",
  invalid: "Check this address.",
  limited: "Too many subscriptions from here. Please try again in an hour.",
  full: "This page takes no more subscribers.",
  loadFailed: "This could not be loaded. Please try again.",
};
