import type { Words } from "../../zh-CN";
import type { checklist as zhCN } from "../../zh-CN/accounts/checklist";

export const checklist: Words<typeof zhCN> = {
  title: "Finish setting up",
  progress: "{{count}} of {{total}} done",
  hide: "Don’t show again",
  hideFailed: "Couldn’t hide the checklist",
  channel: { title: "Add and test a channel", text: "Send a test message by email, chat or push." },
  rule: { title: "Turn on alerts", text: "Choose what is sent to whom." },
  server: { title: "Add a server", text: "See its CPU, memory and disks." },
  page: { title: "Publish a status page", text: "For customers and colleagues." },
  ready: "Everything is set up",
  drill: {
    title: "Try a drill.",
    text: "The alerts of an outage of {{name}} are really sent, marked as a drill.",
    open: "Prepare a drill",
  },
};
