import type { Language } from "../../shared/language";

type Words = {
  untitled: string;
  confirm: string;
  confirmText: string;
  confirmButton: string;
  manage: string;
  manageText: string;
  components: string;
  save: string;
  leave: string;
  back: string;
  confirmed: string;
  saved: string;
  secret: string;
  /** Titles and texts of pages without a subscription. */
  left: [title: string, text: string];
  ended: [title: string, text: string];
  expired: [title: string, text: string];
};

/** The words of the page of a subscriber. */
export const SUBSCRIPTION_WORDS: Record<Language, Words> = {
  "en-US": {
    untitled: "Service status",
    confirm: "Confirm your subscription",
    confirmText: "You will get updates about incidents and scheduled maintenance at this address.",
    confirmButton: "Confirm subscription",
    manage: "Your subscription",
    manageText: "You get updates about incidents and scheduled maintenance at this address.",
    components: "Get updates about",
    save: "Save",
    leave: "Unsubscribe",
    back: "Go to the status page",
    confirmed: "Your subscription is confirmed.",
    saved: "Your choice is saved.",
    secret: "Messages are signed with this secret:",
    left: ["You are unsubscribed", "You get no more messages, and your address is deleted."],
    ended: [
      "There is no subscription here",
      "It has ended, or this link is not complete. You can subscribe again on the status page.",
    ],
    expired: ["This link has expired", "It worked for 24 hours. Subscribe again on the status page to get a new one."],
  },
  "zh-CN": {
    untitled: "服务状态",
    confirm: "确认订阅",
    confirmText: "确认后，事件和计划维护的通知会发送到此地址。",
    confirmButton: "确认订阅",
    manage: "您的订阅",
    manageText: "事件和计划维护的通知会发送到此地址。",
    components: "接收以下组件的通知",
    save: "保存",
    leave: "退订",
    back: "前往状态页",
    confirmed: "订阅已确认。",
    saved: "已保存。",
    secret: "消息使用此密钥签名：",
    left: ["已退订", "您不会再收到通知，地址也已删除。"],
    ended: ["没有找到订阅", "订阅已经结束，或者链接不完整。您可以在状态页重新订阅。"],
    expired: ["链接已过期", "链接 24 小时内有效。请在状态页重新订阅，以获取新的链接。"],
  },
};
