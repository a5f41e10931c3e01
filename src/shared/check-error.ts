import type { Language } from "./alerts";

const REASONS = ["timeout", "dns", "refused", "reset", "tls", "redirects", "blocked", "invalid", "status"] as const;
export type Reason = (typeof REASONS)[number];

/** A check's error begins with a word that stays the same; the rest is detail. */
export const reasonOf = (error: string): Reason | undefined => {
  const word = /^[a-z]+/.exec(error)?.[0];
  return REASONS.find((reason) => reason === word);
};

/** What the page says for each reason, and an alert where it knows nothing closer. */
export const REASON_WORDS: Record<Language, Record<Reason, string>> = {
  "zh-CN": {
    timeout: "在超时时间内没有完成响应",
    dns: "域名解析失败",
    refused: "连接被拒绝",
    reset: "连接中断",
    tls: "证书或加密连接有问题",
    redirects: "重定向次数过多",
    blocked: "不允许访问该地址",
    invalid: "请求无法发出，请检查网址与请求头",
    status: "返回的状态码与期望不符",
  },
  "en-US": {
    timeout: "No complete answer within the timeout",
    dns: "The host name could not be resolved",
    refused: "The connection was refused",
    reset: "The connection broke off",
    tls: "The certificate or secure connection has a problem",
    redirects: "Too many redirects",
    blocked: "This address is not allowed",
    invalid: "The request could not be sent, check the URL and headers",
    status: "The status is not the expected one",
  },
};

/** Every sentence that a check writes, in Chinese. */
const CHINESE: [RegExp, string][] = [
  [/^status (\d+), expected (\w+)$/, "状态码 $1，期望 $2"],
  [/^timeout: no complete answer within (\d+) s$/, "$1 秒内没有收到完整响应"],
  [/^dns: the name has no address$/, "域名解析失败"],
  [/^dns: the name servers of this name do not answer$/, "该域名的 DNS 服务器没有响应"],
  [/^refused: nothing accepts connections there$/, "连接被拒绝"],
  [/^reset: the connection was closed before the answer was complete$/, "响应尚未完成，连接就中断了"],
  [/^invalid: the answer is not valid HTTP$/, "返回的内容不是有效的 HTTP 响应"],
  [/^tls: the certificate has expired$/, "证书已过期"],
  [/^tls: the certificate is not valid yet$/, "证书尚未生效"],
  [/^tls: the certificate is self-signed$/, "证书是自签名的"],
  [/^tls: the certificate is for another name$/, "证书与域名不符"],
  [/^tls: the certificate's issuer is not known$/, "证书的颁发者不受信任"],
  [/^tls: the certificate was revoked$/, "证书已被吊销"],
  [/^tls: no secure connection could be made$/, "无法建立加密连接"],
  [/^redirects: more than (\d+) in a row$/, "连续重定向超过 $1 次"],
  [/^redirects: to something that is not an http address$/, "重定向到了非 HTTP 地址"],
  [
    /^blocked: the address is private or this machine's own, and only administrators may check those$/,
    "这是内网地址或本机地址，只有管理员可以检查",
  ],
  [
    /^blocked: the address is private, and PRIVATE_TARGETS=none allows those to nobody$/,
    "这是内网地址，PRIVATE_TARGETS=none 不允许任何人检查",
  ],
  // Written by earlier builds.
  [/^blocked: the address is private, and only administrators may check those$/, "这是内网地址，只有管理员可以检查"],
];

/**
 * A check's error as it is read by its owner. English is what checks write; what Chinese has no sentence for keeps its
 * detail as it was written, behind the word for its reason.
 */
export const explain = (error: string, language: Language): string => {
  if (language === "en-US") return error;
  const known = CHINESE.find(([pattern]) => pattern.test(error));
  if (known) return error.replace(...known);
  const reason = reasonOf(error);
  if (!reason) return error;
  const detail = error.slice(reason.length).replace(/^[:\s]+/, "");
  return REASON_WORDS[language][reason] + (detail && `（${detail}）`);
};
