import { deviceOf } from "../../../shared/device/device";
import { dateTimeFormat, type Language } from "../../../shared/language";
import { isTimeZone } from "../../../shared/time-zone";
import type { Message } from "../../alerting/channels/text";

/** What a mail is about, with what its text needs. */
export type Content =
  | { kind: "password_reset"; username: string; link: string }
  | { kind: "password_changed"; username: string; link: string | null }
  | { kind: "invitation"; username: string; team: string; link: string }
  | { kind: "factors_changed"; username: string }
  | { kind: "factors_reset"; username: string }
  | { kind: "email_verification"; username: string; link: string }
  | {
      kind: "new_place";
      username: string;
      address: string;
      userAgent: string;
      at: number;
      timeZone: string | null;
      link: string | null;
    }
  | { kind: "test" };

type Writer = { [Kind in Content["kind"]]: (content: Extract<Content, { kind: Kind }>) => Message };

const plain = (title: string, lines: string[]): Message => ({ title, lines, link: null });

/** A time in the reader's time zone; in UTC where that is unknown. */
const timeIn = (language: Language, timeZone: string | null, at: number): string =>
  dateTimeFormat(language, {
    ...{ timeZone: timeZone && isTimeZone(timeZone) ? timeZone : "UTC" },
    ...{ year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" },
  }).format(at);

const ENGLISH: Writer = {
  password_reset: ({ username, link }) => ({
    ...plain("Set a new password", [
      `A new password was requested for your Wakeful account ${username}.`,
      "The link works once, within 30 minutes. If you did not ask for it, ignore this mail: your password stays as it is.",
    ]),
    action: { label: "Set a new password", url: link },
  }),
  password_changed: ({ username, link }) => ({
    ...plain("Your password was changed", [
      `The password of your Wakeful account ${username} was changed, and all other sessions have ended.`,
      "If this was not you, set a new password now, and tell your administrator.",
    ]),
    action: link ? { label: "Set a new password", url: link } : null,
  }),
  invitation: ({ username, team, link }) => ({
    ...plain(`${username} invites you to ${team}`, [
      `${username} invites you to the team ${team} on Wakeful. As a member you see its monitors and servers.`,
      "The link works once, within 72 hours. If you do not know the sender, ignore this mail.",
    ]),
    action: { label: "Open the invitation", url: link },
  }),
  factors_changed: ({ username }) =>
    plain("Your second factors were changed", [
      `The second factors or recovery codes of your Wakeful account ${username} were changed.`,
      "If this was not you, change your password now, and tell your administrator.",
    ]),
  factors_reset: ({ username }) =>
    plain("Your second factors were removed", [
      `An administrator has removed the second factors of your Wakeful account ${username}, and all sessions have ended. Your password is enough to sign in.`,
      "If you did not ask for it, tell your administrator.",
    ]),
  email_verification: ({ username, link }) => ({
    ...plain("Verify your email address", [
      `This address was entered for the Wakeful account ${username}.`,
      "The link works for a day. If the account is not yours, ignore this mail.",
    ]),
    action: { label: "Verify address", url: link },
  }),
  new_place: ({ username, address, userAgent, at, timeZone, link }) => ({
    ...plain("New sign-in to your account", [
      `Your Wakeful account ${username} was signed in to from a new network or browser.`,
      `${deviceOf(userAgent) || "Unknown device"}, ${address}, ${timeIn("en-US", timeZone, at)}`,
      "If this was not you, sign that device out and change your password.",
    ]),
    action: link ? { label: "Show sessions", url: link } : null,
  }),
  test: () => plain("Mails from Wakeful arrive", ["This is a test. Links to reset passwords are sent like this mail."]),
};

const CHINESE: Writer = {
  password_reset: ({ username, link }) => ({
    ...plain("设置新密码", [
      `有人为您的 Wakeful 账号 ${username} 申请了新密码。`,
      "链接 30 分钟内有效，只能使用一次。如果不是您本人操作，忽略本邮件即可，密码不会改变。",
    ]),
    action: { label: "设置新密码", url: link },
  }),
  password_changed: ({ username, link }) => ({
    ...plain("密码已修改", [
      `您的 Wakeful 账号 ${username} 的密码已修改，其他会话均已退出。`,
      "如果不是您本人操作，请立即设置新密码，并告知管理员。",
    ]),
    action: link ? { label: "设置新密码", url: link } : null,
  }),
  invitation: ({ username, team, link }) => ({
    ...plain(`${username} 邀请您加入 ${team}`, [
      `${username} 邀请您加入 Wakeful 上的团队“${team}”，加入后可以查看团队的监控和服务器。`,
      "链接 72 小时内有效，只能使用一次。如果不认识发件人，忽略本邮件即可。",
    ]),
    action: { label: "查看邀请", url: link },
  }),
  factors_changed: ({ username }) =>
    plain("两步验证已变更", [
      `您的 Wakeful 账号 ${username} 的两步验证方式或恢复码已变更。`,
      "如果不是您本人操作，请立即修改密码，并告知管理员。",
    ]),
  factors_reset: ({ username }) =>
    plain("两步验证已重置", [
      `管理员已移除您的 Wakeful 账号 ${username} 的两步验证，所有会话均已退出。现在只需密码即可登录。`,
      "如果您没有提出这一请求，请告知管理员。",
    ]),
  email_verification: ({ username, link }) => ({
    ...plain("验证邮箱", [
      `Wakeful 账号 ${username} 填写了这个邮箱。`,
      "链接 24 小时内有效。如果这不是您的账号，忽略本邮件即可。",
    ]),
    action: { label: "验证邮箱", url: link },
  }),
  new_place: ({ username, address, userAgent, at, timeZone, link }) => ({
    ...plain("账号在新的地点登录", [
      `您的 Wakeful 账号 ${username} 刚刚在新的网络或浏览器登录。`,
      `${deviceOf(userAgent) || "未知设备"}，${address}，${timeIn("zh-CN", timeZone, at)}`,
      "如果不是您本人操作，请退出该设备并修改密码。",
    ]),
    action: link ? { label: "查看登录设备", url: link } : null,
  }),
  test: () => plain("Wakeful 的邮件可以送达", ["这是一封测试邮件，重置密码的链接会以同样的方式发送。"]),
};

const WRITERS: Record<Language, Writer> = { "en-US": ENGLISH, "zh-CN": CHINESE };

/** A mail in the language of its reader. */
export const mailMessage = (language: Language, content: Content): Message => {
  const write = WRITERS[language][content.kind] as (content: Content) => Message;
  return write(content);
};
