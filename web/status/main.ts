import type { StatusData } from "../../src/modules/status-page/publish";
import { chooseLanguage } from "../../src/shared/language";
import { store, stored } from "../lib/storage";
import { settings } from "../settings";
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
let missing = false;

const say = (title: string, text: string) =>
  main.replaceChildren(h("div", { class: "hero" }, h("h1", {}, title), h("p", { class: "about" }, text)));

const show = (isStale = false) => {
  if (missing) return say(speech.words.missing, speech.words.missingText);
  if (shown) draw(shown, isStale);
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
    const response = await fetch(address, { signal: AbortSignal.timeout(settings.apiTimeout) });
    missing = response.status === 404;
    if (!missing && !response.ok) throw new Error(String(response.status));
    shown = missing ? undefined : ((await response.json()) as { data: StatusData }).data;
    show();
  } catch {
    if (shown) show(true);
    else main.querySelector(".failed")?.remove();
    if (!shown) main.append(h("p", { class: "nothing failed", role: "alert" }, speech.words.failed));
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
