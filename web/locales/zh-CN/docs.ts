import type { Access } from "../../../src/server/answers";
import { common } from "./common";

/** The API page. The texts from `introduction` on replace texts of the document, by its names; calls keep their English ones. */
export const docs = {
  title: "API",
  about: "页面上的操作，都能用 API 完成。接口的名称和说明为英文，可以用英文搜索，也可以用中文分组名搜索。",
  document: "OpenAPI 文档",
  secrets: "身份验证",
  secretsAbout: "用 `Authorization: Bearer …` 发送以下任意一种。",
  unavailable:
    "控制台自身出现故障时，任何接口还可能返回 `500` `internal` 和 `503` `unavailable`、`database_full`、`database_read_only`。",
  search: "搜索接口",
  contents: "接口",
  found_one: "{{count}} 个接口",
  found_other: "{{count}} 个接口",
  nothing: "没有匹配的接口。",
  failed: "文档加载失败。",
  parameters: "参数",
  body: "请求体",
  request: "请求示例",
  answers: "响应",
  fields: "字段",
  example: "示例",
  required: "必填",
  places: { path: "路径", query: "查询" },
  access: {
    public: "公开",
    user: "需要会话或 API 密钥",
    session: "仅限会话",
    admin: "仅限管理员，使用会话或 API 密钥",
    adminSession: "仅限管理员，且仅限会话",
    agent: "使用客户端自己的密钥",
    operator: "使用 METRICS_TOKEN、会话或 API 密钥",
  } satisfies Record<Access, string>,
  introduction: {
    general:
      '请求体和响应均为 JSON。成功的响应带有 `"success": true`；被拒绝时为 `"success": false`，并带有固定不变的 `code` 和一句 `message`，`validation` 还会在 `errors` 中逐一列出有误的字段。时间为 UTC 的 ISO 8601 格式，id 为整数。属于他人的内容一律返回 404，如同不存在。',
  } as Record<string, string>,
  tags: {
    Accounts: "账号",
    "Users and keys": "用户与密钥",
    Teams: "团队",
    Monitors: "API 监控",
    Heartbeats: "心跳",
    Servers: "服务器",
    Outages: "故障",
    Reports: "报告",
    Alerts: "通知",
    Incidents: "事件",
    Maintenance: "维护窗口",
    "Status page": "状态页",
    "Export and import": "导出与导入",
    System: "系统",
  } as Record<string, string>,
  parts: {
    Accounts: "注册、登录与当前用户。",
    "Users and keys": "管理员管理他人的账号，以及自己的 API 密钥。",
    Teams: "与谁共享监控、服务器和通知渠道，以及邀请。",
    Monitors: "被检查的网址及检查结果。",
    Heartbeats: "定时任务报告自身状态所用的接口；路径中的令牌即为凭据。",
    Servers: "由客户端上报的服务器，以及客户端自己调用的接口。",
    Outages: "监控故障、服务器离线或指标超过阈值的时段。",
    Reports: "一段时间的统计，以及供他人查看的链接。",
    Alerts: "何事通知何人、经由哪些渠道，以及已发出的通知。",
    Incidents: "发布在状态页上的事件。",
    Maintenance: "计划内的维护时间，期间的故障不会告警。",
    "Status page": "所有人可见的内容，以及页面所有者的选择。",
    "Export and import": "以文件形式保存和恢复自己的配置；不含历史记录和渠道密钥。",
    System: "系统自身：运行状况、指标、下载文件与本文档。",
  } as Record<string, string>,
  schemes: {
    session: "POST /api/auth/login 返回的令牌。",
    apiKey: "在个人资料页创建的密钥。",
    agentKey: "客户端注册时获得的密钥。",
    metricsToken: "控制台的设置 METRICS_TOKEN。",
  } as Record<string, string>,
} as const;

/** The texts of the API page with those that it shares with the console. */
export const docsPage = { common, docs };
