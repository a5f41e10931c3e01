import type { Access } from "../../../src/server/describe";
import type { Language } from "../../../src/shared/alerts";
import { parts, schemes, summaries, tags } from "./summaries";

const enUS = {
  skip: "Skip to content",
  otherLanguage: "中文",
  theme: "Light or dark",
  console: "Back to the console",
  title: "API",
  about: "Everything that the page does, programs can do too.",
  note: "",
  /** In place of what the document itself says; empty where that is in this language. */
  general: "",
  schemes: {} as Record<string, string>,
  parts: {} as Record<string, string>,
  document: "OpenAPI document",
  secrets: "Authorization",
  secretsAbout: "Send one of these as `Authorization: Bearer …`.",
  trouble: "Any call may also answer `500` `internal` and `503` `unavailable`, when the console itself is in trouble.",
  search: "Search calls",
  contents: "Calls",
  found: (count: number) => (count === 1 ? "1 call" : `${count} calls`),
  nothing: "No call matches.",
  failed: "The document cannot be read just now. Reload the page to try again.",
  parameters: "Parameters",
  body: "Body",
  request: "Example request",
  answers: "Answers",
  fields: "Fields",
  example: "Example",
  required: "required",
  copyOf: (what: string) => `Copy: ${what}`,
  copied: "Copied",
  notCopied: "Could not copy",
  footer: { label: "Footer", blog: "Blog", video: "Video channel", tempMail: "Temporary mail" },
  places: { path: "in the path", query: "in the query" },
  access: {
    anybody: "For anybody",
    user: "With a session or an API key",
    session: "With a session only",
    admin: "For administrators, with a session or an API key",
    agent: "With an agent's own key",
    operator: "With METRICS_TOKEN, a session or an API key",
  } satisfies Record<Access, string>,
  tags: {} as Record<string, string>,
  summaries: {} as Record<string, string>,
};

export type Words = typeof enUS;

const zhCN: Words = {
  skip: "跳到正文",
  otherLanguage: "English",
  theme: "浅色或深色",
  console: "返回控制台",
  title: "API",
  about: "页面能做的一切，程序同样能做。",
  note: "各接口的详细说明为英文。",
  general:
    '请求体和响应均为 JSON。成功的响应带有 `"success": true`；被拒绝时为 `"success": false`，并带有固定不变的 `code` 和一句 `message`，`validation` 还会在 `errors` 中逐一列出有误的字段。时间为 UTC 的 ISO 8601 格式，id 为整数。属于他人的内容一律返回 404，如同不存在。',
  schemes,
  parts,
  document: "OpenAPI 文档",
  secrets: "身份验证",
  secretsAbout: "用 `Authorization: Bearer …` 发送以下任意一种。",
  trouble: "控制台自身出现故障时，任何接口还可能返回 `500` `internal` 和 `503` `unavailable`。",
  search: "搜索接口",
  contents: "接口",
  found: (count) => `${count} 个接口`,
  nothing: "没有匹配的接口。",
  failed: "暂时无法读取文档，请刷新页面重试。",
  parameters: "参数",
  body: "请求体",
  request: "请求示例",
  answers: "响应",
  fields: "字段",
  example: "示例",
  required: "必填",
  copyOf: (what) => `复制：${what}`,
  copied: "已复制",
  notCopied: "无法复制",
  footer: { label: "页脚", blog: "博客", video: "视频频道", tempMail: "临时邮箱" },
  places: { path: "路径", query: "查询" },
  access: {
    anybody: "任何人",
    user: "需要会话或 API 密钥",
    session: "仅限会话",
    admin: "仅限管理员，使用会话或 API 密钥",
    agent: "使用客户端自己的密钥",
    operator: "使用 METRICS_TOKEN、会话或 API 密钥",
  },
  tags,
  summaries,
};

export const words: Record<Language, Words> = { "zh-CN": zhCN, "en-US": enUS };

/** What everything on the page is written in. */
export type Speech = { language: Language; words: Words };
