import type { PublicMonitor } from "../../../src/modules/status-page/present";
import { toSlots } from "../../lib/charts/slots";
import { formatDateTime, formatDay, formatMilliseconds, formatPercent } from "../../lib/format";
import { explorableBar } from "./bar";
import { type Day, noonOf, shareOf, toneOf } from "./days";
import { h } from "./dom";
import { icon } from "./icon";
import type { Speech } from "./words";

const RECENT = 24;
const spans = ["24h", "7d", "30d", "90d"] as const;

const dayBar = ({ id, name, days, uptimes }: PublicMonitor, { language, words }: Speech) => {
  const text = (day: Day) => {
    const date = formatDay(language, noonOf(day.date).getTime());
    const share = shareOf(day);
    return share === null ? `${date} · ${words.noData}` : words.day(date, formatPercent(language, share), day.down);
  };
  const bad = days.filter(({ down }) => down > 0).length;
  const whole = uptimes["90d"];
  return explorableBar({
    id: `days-${id}`,
    title: words.daysTitle(name),
    sentence: whole === null ? words.daysNone : words.daysSentence(formatPercent(language, whole), bad),
    slots: days.map((day) => ({ tone: toneOf(day), text: text(day) })),
    className: "days",
  });
};

const recentBar = ({ id, name, history }: PublicMonitor, { language, words }: Speech) => {
  const slots = toSlots(history, RECENT);
  const count = (state: string) => slots.filter((slot) => slot.state === state).length;
  const known = slots.length - count("empty");
  return explorableBar({
    id: `recent-${id}`,
    title: words.recentTitle(name),
    sentence: known === 0 ? words.recentNone : words.recentSentence(known, count("up"), count("down")),
    slots: slots.map(({ state, beat }) => ({
      tone: state,
      text: beat?.timestamp
        ? `${formatDateTime(language, beat.timestamp)} · ${words.status[state === "down" ? "down" : "up"]}`
        : words.noData,
    })),
    className: "recent",
  });
};

const figure = (label: string, value: string) => h("div", {}, h("dt", {}, label), h("dd", {}, value));

export const monitorCard = (monitor: PublicMonitor, speech: Speech): HTMLElement => {
  const { language, words } = speech;
  const { name, status, response_time, last_checked, uptimes } = monitor;
  return h(
    "article",
    { class: `card service ${status}` },
    h(
      "header",
      {},
      h("h3", { title: name }, name),
      h("span", { class: `status ${status}` }, icon(status), words.status[status]),
    ),
    dayBar(monitor, speech),
    h("p", { class: "ends", "aria-hidden": "true" }, h("span", {}, words.daysAgo), h("span", {}, words.today)),
    h(
      "dl",
      { class: "figures", "aria-label": words.uptime },
      ...spans.map((span) => figure(words.span[span], formatPercent(language, uptimes[span]))),
    ),
    h(
      "div",
      { class: "lately" },
      h("p", { class: "caption" }, words.recent),
      recentBar(monitor, speech),
      h(
        "p",
        { class: "caption facts-line" },
        h("span", {}, `${words.response} ${formatMilliseconds(language, response_time)}`),
        last_checked
          ? h("span", {}, `${words.checked} `, h("time", { datetime: last_checked, "data-ago": last_checked }))
          : h("span", {}, words.never),
      ),
    ),
  );
};
