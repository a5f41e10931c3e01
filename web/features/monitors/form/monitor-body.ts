import { text, whole } from "../../../lib/form";
import type { Monitor } from "../calls";
import type { KindView } from "./kinds/kind";

/** What is sent to create or change a monitor. The fields of its kind come with it. */
export type MonitorBody = {
  name: string;
  /** Seconds; the form has minutes. */
  interval: number;
  timeout: number;
  retries: number;
};

/** Seconds as the form's minutes, to two decimals where a client chose others than whole ones. */
export const minutesOf = (seconds: number) => String(Math.round((seconds / 60) * 100) / 100);

/** What to save. An interval that still shows what is stored keeps it to the second. */
export const toMonitorBody = (
  form: FormData,
  { toConfig }: Pick<KindView, "toConfig">,
  monitor: Monitor | undefined,
  stored: number,
): MonitorBody => ({
  name: text(form, "name"),
  ...toConfig(form, monitor),
  interval: text(form, "interval") === minutesOf(stored) ? stored : whole(form, "interval") * 60,
  timeout: whole(form, "timeout"),
  retries: whole(form, "retries"),
});
