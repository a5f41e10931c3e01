import type { StatusData } from "../../../src/modules/status-page/publish";
import { formatAgo } from "../../lib/format";
import { agentCard } from "./agent-card";
import { keepFocus } from "./bar";
import { createCards } from "./cards";
import { h } from "./dom";
import { icon } from "./icon";
import { monitorCard } from "./monitor-card";
import type { Speech } from "./words";

const stateOf = (overall: StatusData["overall"], words: Speech["words"]) =>
  overall === null ? words.nothing : words[overall];

const signs = { operational: "up", partial: "down", outage: "alert" } as const;

const hero = ({ title, description, logoUrl }: StatusData, { words }: Speech) =>
  h(
    "div",
    { class: "hero" },
    logoUrl && h("img", { class: "logo", src: logoUrl, alt: "", referrerpolicy: "no-referrer" }),
    h("h1", {}, title || words.title),
    description && h("p", { class: "about" }, description),
  );

/** The times on the page count on while it stands open. */
export const tellTimes = ({ language }: Speech): void => {
  for (const time of document.querySelectorAll<HTMLElement>("[data-ago]")) {
    const text = formatAgo(language, time.dataset.ago ?? "", Date.now());
    const before = time.dataset.before ?? "";
    time.textContent = before.includes("%") ? before.replace("%", text) : text;
  }
};

const createBanner = () => {
  const state = h("p", { class: "state", role: "status" });
  const updated = h("p", { class: "updated" });
  const banner = h("div", { class: "banner" }, state, updated);
  let said = "";

  /** A page on which nothing ever changed counts as updated when it was read. */
  const update = ({ overall, updated_at }: StatusData, { words }: Speech, readAt: string, isStale: boolean) => {
    const text = stateOf(overall, words);
    const time = updated_at ?? readAt;
    banner.className = `banner ${overall ?? "empty"}`;
    // Announced only when it changes: a screen reader need not read it each minute.
    if (said !== text) state.replaceChildren(...(overall ? [icon(signs[overall])] : []), h("span", {}, text));
    said = text;
    updated.replaceChildren(
      isStale
        ? h("span", { class: "stale-note" }, icon("offline"), words.stale)
        : h("time", { datetime: time, "data-ago": time, "data-before": words.updated("%") }),
    );
  };
  return { banner, update };
};

/** Draws a page into `main` and, called again, changes only what is new. */
export const createStatusPage = (main: HTMLElement, speech: Speech) => {
  const top = h("div");
  const { banner, update: updateBanner } = createBanner();
  const monitors = createCards<StatusData["monitors"][number]>("services", (one) => monitorCard(one, speech));
  const agents = createCards<StatusData["agents"][number]>("hosts", (one) => agentCard(one, speech));
  let mark = "";

  /** `readAt` is when the data was read. */
  return (data: StatusData, readAt: string, isStale = false) =>
    keepFocus(() => {
      const { title, description, logoUrl, overall } = data;
      const next = JSON.stringify([title, description, logoUrl]);
      if (next !== mark) top.replaceChildren(hero(data, speech));
      mark = next;
      document.title = `${title || speech.words.title} · ${stateOf(overall, speech.words)}`;
      updateBanner(data, speech, readAt, isStale);
      monitors.update(speech.words.services, data.monitors, "");
      agents.update(speech.words.agents, data.agents, "");
      if (banner.parentElement !== main) main.replaceChildren(top, banner, monitors.section, agents.section);
      tellTimes(speech);
    });
};
