import type { StatusData } from "../../../src/modules/status-page/publish";
import { chooseLanguage } from "../../../src/shared/language";
import { bootstrap } from "../../bootstrap";
import { store, stored } from "../../lib/storage";
import { h } from "./dom";
import { drawFrame } from "./frame";
import { createStatusPage, tellTimes } from "./page";
import { type Speech, words } from "./words";

const REFRESH = 60_000;
const TELL_TIMES = 10_000;
const LANGUAGE_KEY = "i18nextLng";

const [, encodedSlug] = /\/status\/([^/]+)\/?$/.exec(location.pathname) ?? [];
const address = `./api/status/data${encodedSlug ? `?page=${encodedSlug}` : ""}`;
const main = document.getElementById("main") as HTMLElement;

let speech: Speech;
let draw: ReturnType<typeof createStatusPage>;
let shown: StatusData | undefined;
let readAt = "";
let missing = false;
let failed = false;

const say = (title: string, text: string) =>
  main.replaceChildren(h("div", { class: "hero" }, h("h1", {}, title), h("p", { class: "about" }, text)));

/** What the server wrote before any script ran may be over by now: it goes when nothing can be read. */
const showFailure = () => {
  const retry = h("button", { type: "button", class: "plain-button retry" }, speech.words.retry);
  retry.addEventListener("click", () => {
    retry.disabled = true;
    void refresh();
  });
  const failure = h("div", { class: "nothing failed", role: "alert" }, h("p", {}, speech.words.failed), retry);
  for (const old of main.querySelectorAll(".banner, .failed")) old.remove();
  main.append(failure);
};

const show = (isStale = false) => {
  if (missing) return say(speech.words.missing, speech.words.missingText);
  if (shown) draw(shown, readAt, isStale);
  else if (failed) showFailure();
};

const frame = () =>
  drawFrame(speech, () => {
    speak(speech.language === "zh-CN" ? "en-US" : "zh-CN");
    document.getElementById("language")?.focus();
  });

const speak = (language: Speech["language"]) => {
  speech = { language, words: words[language] };
  document.documentElement.lang = language;
  store(LANGUAGE_KEY, language);
  draw = createStatusPage(main, speech);
  frame();
  show();
};

const refresh = async () => {
  try {
    // The browser asks whether its copy is still right, and is told in a few bytes.
    const response = await fetch(address, { signal: AbortSignal.timeout(bootstrap.apiTimeout) });
    missing = response.status === 404;
    if (!missing && !response.ok) throw new Error(String(response.status));
    shown = missing ? undefined : ((await response.json()) as { data: StatusData }).data;
    readAt = new Date().toISOString();
    failed = false;
    show();
  } catch {
    failed = true;
    show(true);
  }
};

const refreshInView = () => {
  if (!document.hidden) void refresh();
};

speak(chooseLanguage([stored(LANGUAGE_KEY) ?? "", ...navigator.languages]));
void refresh();
setInterval(refreshInView, REFRESH);
setInterval(() => tellTimes(speech), TELL_TIMES);
document.addEventListener("visibilitychange", refreshInView);
// Signing in or out in another tab.
window.addEventListener("storage", ({ key }) => {
  if (key === "user" || key === null) frame();
});
addEventListener("scroll", () => document.getElementById("navbar")?.classList.toggle("scrolled", scrollY > 10), {
  passive: true,
});
