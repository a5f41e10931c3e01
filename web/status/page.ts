import type { StatusData } from "../../src/modules/status-page/publish";
import { formatAgo } from "../lib/format";
import { agentCard } from "./agent-card";
import { keepFocus } from "./bar";
import { createCards } from "./cards";
import { h } from "./dom";
import { icon } from "./icon";
import { monitorCard } from "./monitor-card";
import type { Speech } from "./words";

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

  const update = ({ overall, updated_at }: StatusData, { words }: Speech, isStale: boolean) => {
    banner.className = `banner ${overall}`;
    // Said again only when it is news: a screen reader need not hear it each minute.
    if (said !== words[overall]) state.replaceChildren(icon(signs[overall]), h("span", {}, words[overall]));
    said = words[overall];
    updated.replaceChildren(
      isStale
        ? h("span", { class: "stale-note" }, icon("offline"), words.stale)
        : updated_at
          ? h("time", { datetime: updated_at, "data-ago": updated_at, "data-before": words.updated("%") })
          : "",
    );
  };
  return { banner, update };
};

/** Draws a page into `main` and, called again, changes only what is new. */
export const createStatusPage = (main: HTMLElement, speech: Speech) => {
  const top = h("div");
  const { banner, update: updateBanner } = createBanner();
  const none = h("p", { class: "nothing" }, speech.words.nothing);
  const monitors = createCards<StatusData["monitors"][number]>("services", (one) => monitorCard(one, speech));
  const agents = createCards<StatusData["agents"][number]>("hosts", (one) => agentCard(one, speech));
  let mark = "";

  return (data: StatusData, isStale = false) =>
    keepFocus(() => {
      const { title, description, logoUrl, overall } = data;
      const next = JSON.stringify([title, description, logoUrl]);
      if (next !== mark) top.replaceChildren(hero(data, speech));
      mark = next;
      document.title = `${title || speech.words.title} · ${speech.words[overall]}`;
      updateBanner(data, speech, isStale);
      monitors.update(speech.words.services, data.monitors, "");
      agents.update(speech.words.agents, data.agents, "");
      none.hidden = data.monitors.length + data.agents.length > 0;
      if (banner.parentElement !== main) main.replaceChildren(top, banner, none, monitors.section, agents.section);
      tellTimes(speech);
    });
};
