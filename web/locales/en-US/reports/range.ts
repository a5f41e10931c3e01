import type { Translation } from "../../zh-CN";

export const range: Translation["range"] = {
  label: "Time range",
  "1h": "1 h",
  "24h": "24 h",
  "7d": "7 d",
  "30d": "30 d",
  "90d": "90 d",
  "1y": "1 y",
  custom: "Custom",
  from: "First day",
  to: "Last day",
  back: "Back to {{range}}",
  backwards: "The first day has to be before the last one.",
  tooLong: "Choose at most 400 days.",
};
