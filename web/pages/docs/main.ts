import { chooseLanguage } from "../../../src/shared/language";
import { bootstrap } from "../../bootstrap";
import { store, stored } from "../../lib/storage";
import { h } from "../status/dom";
import { icon } from "../status/icon";
import { callCard, prose } from "./call";
import { drawContents } from "./contents";
import { callsOf, type Document, originOf } from "./document";
import { drawFrame } from "./frame";
import { type Speech, words } from "./words";

const LANGUAGE_KEY = "i18nextLng";
const main = document.getElementById("main") as HTMLElement;
const contents = document.getElementById("contents") as HTMLElement;

let read: Document | undefined;

const intro = ({ info, components }: Document, { words: says }: Speech) =>
  h(
    "header",
    { class: "intro" },
    h("h1", {}, says.title, h("span", { class: "version" }, info.version)),
    h("p", { class: "about" }, says.about, " ", says.note),
    h(
      "a",
      { class: "document-link", href: "./api/openapi.json", download: "wakeful-openapi.json" },
      icon("download"),
      says.document,
    ),
    h("p", {}, ...prose(says.general || info.description)),
    h("h2", {}, says.secrets),
    h("p", {}, ...prose(says.secretsAbout)),
    h(
      "dl",
      { class: "secrets" },
      ...Object.entries(components.securitySchemes).map(([name, { description }]) =>
        h("div", {}, h("dt", {}, h("code", {}, name)), h("dd", {}, says.schemes[name] ?? description)),
      ),
    ),
    h("p", { class: "trouble" }, ...prose(says.trouble)),
  );

/** Opens the call that the address names, and goes there. */
const follow = () => {
  const card = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!(card instanceof HTMLDetailsElement)) return;
  card.open = true;
  card.hidden = false;
  card.querySelector("summary")?.focus({ preventScroll: true });
  card.scrollIntoView({ block: "start" });
};

const draw = (found: Document, speech: Speech) => {
  const calls = callsOf(found);
  const place = { document: found, origin: originOf(found, document.baseURI), speech };
  const cards = new Map(calls.map((call) => [call.operationId, callCard(call, place)]));
  const parts = found.tags.map(({ name, description }) =>
    h(
      "section",
      { class: "calls" },
      h("h2", {}, speech.words.tags[name] ?? name),
      h("p", {}, speech.words.parts[name] ?? description),
      ...calls.filter(({ tags }) => tags.includes(name)).map(({ operationId }) => cards.get(operationId)),
    ),
  );
  const nothing = h("p", { class: "nothing", id: "nothing" }, speech.words.nothing);
  nothing.hidden = true;
  main.replaceChildren(intro(found, speech), nothing, ...parts);
  drawContents(contents, { document: found, calls, cards, speech });
  follow();
};

const speak = (language: Speech["language"]) => {
  const speech = { language, words: words[language] };
  document.documentElement.lang = language;
  store(LANGUAGE_KEY, language);
  drawFrame(speech, () => {
    speak(language === "zh-CN" ? "en-US" : "zh-CN");
    document.getElementById("language")?.focus();
  });
  if (read) draw(read, speech);
  return speech;
};

const speech = speak(chooseLanguage([stored(LANGUAGE_KEY) ?? "", ...navigator.languages]));
try {
  const response = await fetch("./api/openapi.json", { signal: AbortSignal.timeout(bootstrap.apiTimeout) });
  if (!response.ok) throw new Error(String(response.status));
  read = (await response.json()) as Document;
  draw(read, speech);
} catch {
  main.replaceChildren(h("h1", {}, speech.words.title), h("p", { role: "alert" }, speech.words.failed));
}
addEventListener("hashchange", follow);
addEventListener("scroll", () => document.getElementById("navbar")?.classList.toggle("scrolled", scrollY > 10), {
  passive: true,
});
