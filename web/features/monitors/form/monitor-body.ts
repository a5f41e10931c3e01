import { METHODS_WITH_BODY, type Method } from "../../../../src/shared/limits";
import { raw, text, whole } from "../../../lib/form";
import { withScheme } from "../../../lib/web-address";

export type MonitorBody = {
  name: string;
  url: string;
  method: Method;
  /** Seconds; the form speaks of minutes. */
  interval: number;
  timeout: number;
  expectedStatus: number;
  headers: Record<string, string>;
  body: string;
  retries: number;
};

/** Rows without a name are dropped. */
const toHeaders = (form: FormData) => {
  const values = form.getAll("header-value");
  const rows = form.getAll("header-name").map((name, row) => [String(name).trim(), String(values[row] ?? "").trim()]);
  return Object.fromEntries(rows.filter(([name]) => name));
};

export const sendsBody = (method: string) => METHODS_WITH_BODY.some((one) => one === method);

/** Seconds as the form's minutes, to two decimals where some client chose others than whole ones. */
export const minutesOf = (seconds: number) => String(Math.round((seconds / 60) * 100) / 100);

/** Fields give line ends as \n, whatever they were given. */
const asShown = (body: string) => body.replaceAll(/\r\n?/g, "\n");

/** What to save. Fields that still show what is `stored` keep it to the second and the byte. */
export const toMonitorBody = (form: FormData, stored: Pick<MonitorBody, "interval" | "body">): MonitorBody => ({
  name: text(form, "name"),
  url: withScheme(text(form, "url")),
  method: text(form, "method") as Method,
  interval: text(form, "interval") === minutesOf(stored.interval) ? stored.interval : whole(form, "interval") * 60,
  timeout: whole(form, "timeout"),
  expectedStatus: whole(form, "expectedStatus"),
  headers: toHeaders(form),
  body: raw(form, "body") === asShown(stored.body) ? stored.body : raw(form, "body"),
  retries: whole(form, "retries"),
});
