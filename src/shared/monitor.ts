import { fill, type Language, type ParamNames } from "./language";

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"] as const;
export type Method = (typeof METHODS)[number];
/** Methods with a body. */
export const METHODS_WITH_BODY: readonly Method[] = ["POST", "PUT", "PATCH"];

/** Whether a status is the expected one, or, for an expectation of 1 to 5, of that class. */
export const isExpected = (status: number, expected: number): boolean =>
  expected < 10 ? Math.floor(status / 100) === expected : status === expected;

/** `200`, or `2xx` for a class. */
export const expectedLabel = (expected: number): string => (expected < 10 ? `${expected}xx` : String(expected));

/** Checks that a list can show of each monitor. */
export const MAX_RECENT = 40;

/** Local conditions that prevent the hub from making requests. Codes never change. */
export const CONDITIONS = ["resolver", "descriptors", "ports", "memory"] as const;
export type Condition = (typeof CONDITIONS)[number];

/** A present condition, and its start in epoch milliseconds. */
export type ActiveCondition = { code: Condition; since: number };

export const CONDITION_WORDS: Record<Condition, string> = {
  resolver: "the name servers of this machine do not answer",
  descriptors: "no more files or connections can be opened",
  ports: "no more local ports are free for connections there",
  memory: "the system has no memory left for connections",
};

/**
 * Why a check failed. Codes never change once released; the part before the first underscore is the word that the API's
 * English `error` starts with. `{name}` is a parameter, stored in `error_detail`.
 */
const ENGLISH = {
  status: "status {actual}, expected {expected}",
  timeout: "no complete answer within {seconds} s",
  dns_not_found: "the name has no address",
  dns_no_answer: "the name servers of this name do not answer",
  refused: "nothing accepts connections there",
  reset: "the connection was closed before the answer was complete",
  invalid_response: "the answer is not valid HTTP",
  tls_expired: "the certificate has expired",
  tls_not_yet_valid: "the certificate is not valid yet",
  tls_self_signed: "the certificate is self-signed",
  tls_wrong_name: "the certificate is for another name",
  tls_unknown_issuer: "the certificate's issuer is not known",
  tls_revoked: "the certificate was revoked",
  tls_failed: "no secure connection could be made",
  redirects_too_many: "more than {limit} redirects in a row",
  redirects_not_http: "redirected to an address that is not HTTP",
  blocked_private: "the address is private or this machine's own, and only administrators may check those",
  blocked_by_setting: "the address is private, and PRIVATE_TARGETS=none allows no checks of those",
} as const;

export type CheckErrorCode = keyof typeof ENGLISH;
export const CHECK_ERROR_CODES = Object.keys(ENGLISH) as CheckErrorCode[];

const WORDS: Record<Language, Readonly<Record<CheckErrorCode, string>>> = {
  "en-US": ENGLISH,
  "zh-CN": {
    status: "状态码 {actual}，期望 {expected}",
    timeout: "{seconds} 秒内没有收到完整响应",
    dns_not_found: "域名解析失败",
    dns_no_answer: "该域名的 DNS 服务器没有响应",
    refused: "连接被拒绝",
    reset: "响应尚未完成，连接就中断了",
    invalid_response: "返回的内容不是有效的 HTTP 响应",
    tls_expired: "证书已过期",
    tls_not_yet_valid: "证书尚未生效",
    tls_self_signed: "证书是自签名的",
    tls_wrong_name: "证书与域名不符",
    tls_unknown_issuer: "证书的颁发者不受信任",
    tls_revoked: "证书已被吊销",
    tls_failed: "无法建立加密连接",
    redirects_too_many: "连续重定向超过 {limit} 次",
    redirects_not_http: "重定向到了非 HTTP 地址",
    blocked_private: "这是内网地址或本机地址，只有管理员可以检查",
    blocked_by_setting: "这是内网地址，PRIVATE_TARGETS=none 不允许任何人检查",
  },
};

/** The parameters of an error's text, each at most a few characters: no secrets, and nothing a target answered. */
export type ErrorDetail = Readonly<Record<string, string | number>>;

type Detail<Code extends CheckErrorCode> = Readonly<Record<ParamNames<(typeof ENGLISH)[Code]>, string | number>>;
type Rest<Code extends CheckErrorCode> = keyof Detail<Code> extends never ? [] : [detail: Detail<Code>];

/** Why a check failed, as it is stored. */
export type CheckError = { code: CheckErrorCode; detail: ErrorDetail | null };

export const checkError = <Code extends CheckErrorCode>(code: Code, ...[detail]: Rest<Code>): CheckError => ({
  code,
  detail: detail ?? null,
});

/** The error in two columns of a row. */
export const storedError = (row: { errorCode: CheckErrorCode | null; errorDetail: ErrorDetail | null }) =>
  row.errorCode === null ? null : { code: row.errorCode, detail: row.errorDetail };

/** Renders why a check failed, in lower case where the language has it. A code of a newer version stays as it is. */
export const checkErrorText = ({ code, detail }: CheckError, language: Language): string =>
  fill(WORDS[language][code] ?? code, detail ?? {});

/** Renders the API's English `error`: the code's first word, which never changes, and the text. */
export const checkErrorMessage = (error: CheckError): string => {
  const text = checkErrorText(error, "en-US");
  return error.code === "status" ? text : `${error.code.split("_")[0]}: ${text}`;
};

/** An error as the API answers it. */
export const presentError = (error: CheckError | null) => ({
  error: error && checkErrorMessage(error),
  error_code: error?.code ?? null,
  error_detail: error?.detail ?? null,
});
