/** The monitors and servers of the demo. */
import type { Language } from "../../shared/language";
import { MINUTE } from "../../shared/limits";

const [HOUR, DAY] = [60 * MINUTE, 24 * 60 * MINUTE];

/** A time when a service failed, in milliseconds before now. Without `to` it still fails. */
export type Incident = { from: number; to?: number; as: "status" | "timeout" };

export type Service = {
  /** Its path on the server of the demo. */
  path: string;
  name: Record<Language, string>;
  tag: string;
  /** The usual response time in milliseconds. */
  latency: number;
  incidents?: readonly Incident[];
};

export const SERVICES: readonly Service[] = [
  {
    ...{ path: "shop", name: { "en-US": "Shop", "zh-CN": "商城" }, tag: "web", latency: 84 },
    incidents: [{ from: 11 * DAY, to: 11 * DAY - 41 * MINUTE, as: "status" }],
  },
  {
    ...{ path: "checkout", name: { "en-US": "Checkout", "zh-CN": "结算" }, tag: "payments", latency: 132 },
    incidents: [{ from: 26 * HOUR, to: 26 * HOUR - 6 * MINUTE, as: "timeout" }],
  },
  {
    ...{ path: "payments", name: { "en-US": "Payments API", "zh-CN": "支付接口" }, tag: "payments", latency: 61 },
    incidents: [
      { from: 19 * DAY, to: 19 * DAY - 23 * MINUTE, as: "timeout" },
      { from: 3 * DAY, to: 3 * DAY - 12 * MINUTE, as: "status" },
    ],
  },
  {
    ...{ path: "search", name: { "en-US": "Search", "zh-CN": "搜索" }, tag: "web", latency: 48 },
    incidents: [
      { from: 8 * DAY, to: 8 * DAY - 9 * MINUTE, as: "status" },
      { from: 37 * MINUTE, as: "status" },
    ],
  },
  { path: "sign-in", name: { "en-US": "Sign-in", "zh-CN": "登录" }, tag: "web", latency: 39 },
  { path: "invoices", name: { "en-US": "Invoices", "zh-CN": "发票" }, tag: "payments", latency: 210 },
  {
    ...{ path: "stock", name: { "en-US": "Stock levels", "zh-CN": "库存" }, tag: "warehouse", latency: 72 },
    incidents: [{ from: 22 * DAY, to: 22 * DAY - 2 * HOUR, as: "timeout" }],
  },
  { path: "labels", name: { "en-US": "Shipping labels", "zh-CN": "面单" }, tag: "warehouse", latency: 155 },
  { path: "images", name: { "en-US": "Images", "zh-CN": "图片" }, tag: "web", latency: 17 },
  { path: "mobile", name: { "en-US": "Mobile API", "zh-CN": "移动端接口" }, tag: "api", latency: 55 },
  {
    ...{ path: "partners", name: { "en-US": "Partner API", "zh-CN": "合作方接口" }, tag: "api", latency: 96 },
    incidents: [{ from: 5 * HOUR, to: 5 * HOUR - 18 * MINUTE, as: "status" }],
  },
  { path: "docs", name: { "en-US": "Documentation", "zh-CN": "文档" }, tag: "web", latency: 23 },
];

export const BACKUP: Record<Language, string> = { "en-US": "Nightly backup", "zh-CN": "每晚备份" };

export type Machine = {
  hostname: string;
  /** Percent of the CPU, and gigabytes of the memory and of the data disk that are in use. */
  load: number;
  memory: number;
  data: number;
  /** The growth of its data, in gigabytes a day. */
  growth?: number;
};

export const MACHINES: readonly Machine[] = [
  { hostname: "web-1", load: 23, memory: 5.6, data: 118 },
  { hostname: "web-2", load: 27, memory: 5.9, data: 121 },
  { hostname: "database-1", load: 58, memory: 11.4, data: 431, growth: 6 },
  { hostname: "build-1", load: 41, memory: 7.2, data: 208 },
];

export const STATUS_PAGE: Record<Language, { title: string; description: string }> = {
  "en-US": { title: "Northwind status", description: "The state of our shop, payments and interfaces." },
  "zh-CN": { title: "北风商城状态", description: "商城、支付与开放接口的运行状态。" },
};
