/** The choice of a span of time on charts and lists. */
export const range = {
  label: "时间范围",
  "1h": "1 小时",
  "24h": "24 小时",
  "7d": "7 天",
  "30d": "30 天",
  "90d": "90 天",
  "1y": "1 年",
  custom: "自定义",
  from: "开始日期",
  to: "结束日期",
  back: "返回 {{range}}",
  backwards: "开始日期不能晚于结束日期。",
  tooLong: "最多可选 400 天。",
} as const;
