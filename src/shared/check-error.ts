import { fill, type Language, numberFormat, type ParamNames } from "./language";
import type { PresentedPhases } from "./monitor";
import { refusalText } from "./tcp/refusals";

/**
 * Why a check failed. Codes never change once released; the part before the first underscore is the word that the API's
 * English `error` starts with. `{name}` is a parameter, stored in `error_detail`.
 */
const ENGLISH = {
  status: "status {actual}, expected {expected}",
  timeout: "no complete answer within {seconds} s",
  dns_not_found: "the name has no address",
  dns_no_answer: "the name servers of this name do not answer",
  refused: "connection refused",
  unreachable_host: "the machine cannot be reached (host unreachable)",
  unreachable_network: "the machine cannot be reached (no route to its network)",
  unreachable_prohibited: "the machine cannot be reached (a router or firewall prohibits it)",
  unreachable_hops: "the machine cannot be reached (TTL exceeded, as in a routing loop)",
  reset: "the connection was closed before the answer was complete",
  invalid_response: "the answer is not valid HTTP",
  tls_expired: "the certificate has expired",
  tls_not_yet_valid: "the certificate is not valid yet",
  tls_self_signed: "the certificate is self-signed",
  tls_wrong_name: "the certificate is for another name",
  tls_unknown_issuer: "the certificate's issuer is not known, or the server does not send the intermediate certificate",
  tls_revoked: "the certificate was revoked",
  tls_failed: "no secure connection could be made",
  redirects_too_many: "more than {limit} redirects in a row",
  redirects_not_http: "redirected to an address that is not HTTP",
  blocked_private: "the name or address is private or this machine's own, and only administrators may check those",
  blocked_by_setting: "the address is private, and PRIVATE_TARGETS=none allows no checks of those",
  keyword_missing: 'the text "{text}" is not in the body',
  keyword_present: 'the text "{text}" is in the body',
  json_invalid: "the body is not JSON",
  json_missing: "the JSON body lacks {path}",
  json_too_large: "the JSON body has too many values or levels for the JSON paths of this monitor",
  json_mismatch: "the JSON value {path} is not as expected: {expected}",
  header_missing: "the header {name} is missing",
  header_mismatch: "the header {name} is not as expected: {expected}",
  body_unreadable: "the body can't be decompressed",
  body_too_large: "the body is larger than {limit} MiB",
  slow_response: "the response took longer than {limit} ms in {slow} of {checks} checks",
  dns_no_family: "the name has no IPv{family} address",
  dns_no_name: "the name does not exist",
  dns_no_record: "the name has no {type} record",
  dns_mismatch: "the {type} records are not the expected ones",
  dns_refused: "the name server refuses to answer",
  dns_server_failed: "the name server could not answer (SERVFAIL)",
  dns_invalid: "the answer of the name server is not valid",
  ping_lost: "none of {count} packets was answered",
  ping_loss: "more than {limit}% of the packets were lost in {slow} of {checks} checks",
  tls_wrong_fingerprint: "the certificate does not have the expected fingerprint",
  tls_no_starttls: "the server does not offer STARTTLS",
  certificate_expiring: "the certificate expires soon (days left: {days})",
  domain_expiring: "the domain expires soon (days left: {days})",
  domain_expired: "the domain has expired",
  domain_unregistered: "the domain is not registered",
  domain_deleted: "the registration of the domain was deleted (status: {status})",
  domain_no_rdap: "the registry of .{tld} does not publish registrations by RDAP",
  budget_burning: "{used}% of the downtime that {target}% allows, and growing fast",
  budget_spent: "{used}% of the downtime that {target}% allows",
  backup_no_folder: "the folder BACKUP_DIR does not exist",
  backup_data_folder: "BACKUP_DIR is the data directory itself",
  backup_not_writable: "the folder BACKUP_DIR can't be written",
  backup_no_space: "the disk of BACKUP_DIR has too little free space",
  backup_damaged: "the database or its copy is damaged",
  backup_too_long: "it took longer than 20 hours",
  backup_failed: "the log of Wakeful has the reason",
  protocol_mismatch: "the answer is not that of a {protocol} server",
  protocol_error: "the {protocol} server answered with the error {code}",
  reply_mismatch: "the reply is not the expected one",
  websocket_handshake: "the server does not accept WebSocket connections there",
  websocket_protocol: "the server does not accept the subprotocol",
  websocket_invalid: "the messages of the server are not valid WebSocket frames",
  websocket_mismatch: "no message has the expected text",
  grpc_not_serving: "the service is not serving",
  grpc_unknown_service: "the server does not know the service",
  grpc_unimplemented: "the server has no gRPC health service",
  grpc_failed: "the health call failed with gRPC status {status}",
  grpc_invalid: "the answer is not valid gRPC",
  unexpected_success: "the check succeeded, although it should fail",
  heartbeat_missed: "no ping arrived in time",
  heartbeat_running: "the job started but did not finish in time",
  heartbeat_failed: "the job reported a failure",
  heartbeat_exit: "the job ended with exit status {status}",
  imported: "{source} recorded: {text}",
} as const;

export type CheckErrorCode = keyof typeof ENGLISH;
export const CHECK_ERROR_CODES = Object.keys(ENGLISH) as CheckErrorCode[];

const WORDS: Record<Language, Readonly<Record<CheckErrorCode, string>>> = {
  "en-US": ENGLISH,
  "zh-CN": {
    status: "状态码 {actual}，期望 {expected}",
    timeout: "{seconds} 秒内没有收到完整响应",
    dns_not_found: "该域名没有地址",
    dns_no_answer: "该域名的 DNS 服务器没有响应",
    refused: "连接被拒绝",
    unreachable_host: "无法到达该主机（主机不可达）",
    unreachable_network: "无法到达该主机（没有到其网络的路由）",
    unreachable_prohibited: "无法到达该主机（被路由器或防火墙禁止）",
    unreachable_hops: "无法到达该主机（TTL 超时，可能存在路由环路）",
    reset: "响应尚未完成，连接就中断了",
    invalid_response: "返回的内容不是有效的 HTTP 响应",
    tls_expired: "证书已过期",
    tls_not_yet_valid: "证书尚未生效",
    tls_self_signed: "证书是自签名的",
    tls_wrong_name: "证书与域名不符",
    tls_unknown_issuer: "证书的颁发者不受信任，或服务器没有发送中间证书",
    tls_revoked: "证书已被吊销",
    tls_failed: "无法建立加密连接",
    redirects_too_many: "连续重定向超过 {limit} 次",
    redirects_not_http: "重定向到了非 HTTP 地址",
    blocked_private: "这是内网名称、内网地址或本机地址，只有管理员可以检查",
    blocked_by_setting: "这是内网地址，PRIVATE_TARGETS=none 不允许任何人检查",
    keyword_missing: "响应内容中没有“{text}”",
    keyword_present: "响应内容中出现了“{text}”",
    json_invalid: "响应内容不是 JSON",
    json_missing: "JSON 中没有 {path}",
    json_too_large: "JSON 正文的值或层级过多，无法检查此监控的 JSON 路径",
    json_mismatch: "JSON 的 {path} 不符合预期：{expected}",
    header_missing: "缺少响应头 {name}",
    header_mismatch: "响应头 {name} 不符合预期：{expected}",
    body_unreadable: "响应内容无法解压",
    body_too_large: "响应内容超过 {limit} MiB",
    slow_response: "最近 {checks} 次检查中有 {slow} 次响应超过 {limit} 毫秒",
    dns_no_family: "该域名没有 IPv{family} 地址",
    dns_no_name: "域名不存在",
    dns_no_record: "该域名没有 {type} 记录",
    dns_mismatch: "{type} 记录与预期不符",
    dns_refused: "DNS 服务器拒绝应答",
    dns_server_failed: "DNS 服务器无法应答（SERVFAIL）",
    dns_invalid: "DNS 服务器的应答无效",
    ping_lost: "发送的 {count} 个数据包均无应答",
    ping_loss: "最近 {checks} 次检查中有 {slow} 次丢包率超过 {limit}%",
    tls_wrong_fingerprint: "证书指纹与预期不符",
    tls_no_starttls: "服务器不支持 STARTTLS",
    certificate_expiring: "证书即将过期（剩余 {days} 天）",
    domain_expiring: "域名即将到期（剩余 {days} 天）",
    domain_expired: "域名已到期",
    domain_unregistered: "域名未注册",
    domain_deleted: "域名注册已被删除（状态：{status}）",
    domain_no_rdap: ".{tld} 的注册局不提供 RDAP 查询",
    budget_burning: "停机已达允许值的 {used}%（目标 {target}%），且增长很快",
    budget_spent: "停机已达允许值的 {used}%（目标 {target}%）",
    backup_no_folder: "BACKUP_DIR 目录不存在",
    backup_data_folder: "BACKUP_DIR 就是数据目录",
    backup_not_writable: "无法写入 BACKUP_DIR 目录",
    backup_no_space: "BACKUP_DIR 所在磁盘空间不足",
    backup_damaged: "数据库或其副本已损坏",
    backup_too_long: "耗时超过 20 小时",
    backup_failed: "原因见控制台日志",
    protocol_mismatch: "对方的应答不是 {protocol} 服务器的应答",
    protocol_error: "{protocol} 服务器返回错误 {code}",
    reply_mismatch: "应答与预期不符",
    websocket_handshake: "服务器在该地址不接受 WebSocket 连接",
    websocket_protocol: "服务器不接受该子协议",
    websocket_invalid: "服务器发送的不是有效的 WebSocket 消息",
    websocket_mismatch: "没有收到包含预期文本的消息",
    grpc_not_serving: "服务当前不可用（NOT_SERVING）",
    grpc_unknown_service: "服务器没有该服务",
    grpc_unimplemented: "服务器没有 gRPC 健康检查服务",
    grpc_failed: "健康检查调用失败，gRPC 状态码 {status}",
    grpc_invalid: "返回的内容不是有效的 gRPC 响应",
    unexpected_success: "检查成功了，而它本应失败",
    heartbeat_missed: "没有按时收到上报",
    heartbeat_running: "任务已开始，但没有按时结束",
    heartbeat_failed: "任务报告了失败",
    heartbeat_exit: "任务结束，退出码 {status}",
    imported: "{source} 的记录：{text}",
  },
};

/** The phase of a check when its time ran out. */
export type TimeoutPhase = keyof PresentedPhases;

/** The texts of the error `timeout` whose phase is known. */
const TIMEOUTS: Record<Language, Readonly<Record<TimeoutPhase, string>>> = {
  "en-US": {
    dns: "the name was not resolved within {seconds} s",
    connect: "no connection within {seconds} s",
    tls: "connected, but no TLS handshake within {seconds} s",
    first_byte: "connected, but no answer within {seconds} s",
    download: "answered, but not completely within {seconds} s",
  },
  "zh-CN": {
    dns: "{seconds} 秒内没有解析出域名",
    connect: "{seconds} 秒内未能建立连接",
    tls: "已建立连接，但 {seconds} 秒内没有完成 TLS 握手",
    first_byte: "已建立连接，但 {seconds} 秒内没有收到响应",
    download: "已收到部分响应，但 {seconds} 秒内没有收完",
  },
};

/** The text of the error `budget_spent` with the downtime as a multiple of the allowed one. */
const MULTIPLES: Record<Language, string> = {
  "en-US": "{times} times the downtime that {target}% allows",
  "zh-CN": "停机已达允许值的 {times} 倍（目标 {target}%）",
};

/** From this percentage on, downtime is written as a multiple. */
const MULTIPLE = 200;

const overBudgetText = (detail: ErrorDetail | null, language: Language): string | undefined => {
  const used = Number(detail?.used);
  if (!detail || !(used >= MULTIPLE)) return undefined;
  const times = numberFormat(language, { maximumFractionDigits: 1 }).format(used / 100);
  return fill(MULTIPLES[language], { ...detail, times });
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

/** The error of a check that took longer than its timeout, with the phase that it was in, if that is known. */
export const timeoutError = (seconds: number, phase?: TimeoutPhase): CheckError => ({
  code: "timeout",
  detail: { seconds, ...(phase && { phase }) },
});

/** The error in two columns of a row. */
export const storedError = (row: { errorCode: CheckErrorCode | null; errorDetail: ErrorDetail | null }) =>
  row.errorCode === null ? null : { code: row.errorCode, detail: row.errorDetail };

/** Renders why a check failed, in lower case where the language has it. A code of a newer version stays as it is. */
export const checkErrorText = ({ code, detail }: CheckError, language: Language): string => {
  const plain =
    code === "protocol_error"
      ? refusalText(detail?.protocol, detail?.code, language)
      : code === "timeout"
        ? TIMEOUTS[language][detail?.phase as TimeoutPhase]
        : code === "budget_spent"
          ? overBudgetText(detail, language)
          : undefined;
  return fill(plain ?? WORDS[language][code] ?? code, detail ?? {});
};

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
