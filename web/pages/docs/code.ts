import { copyText } from "../../lib/copy";
import { h } from "../status/dom";
import { icon } from "../status/icon";
import type { Speech } from "./words";

const SHOWN = 2000;
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null|-?\d[\d.eE+-]*)\b/g;

/** JSON with its names, texts and other values told apart. */
const coloured = (json: string): (Node | string)[] => {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const match of json.matchAll(TOKEN)) {
    const [all, text, colon] = match;
    parts.push(json.slice(end, match.index));
    if (text && colon) parts.push(h("span", { class: "json-name" }, text), colon);
    else parts.push(h("span", { class: text ? "json-text" : "json-value" }, all));
    end = match.index + all.length;
  }
  return [...parts, json.slice(end)];
};

/** A block of code with a button that copies it. */
export const codeBlock = (text: string, label: string, { words }: Speech, isJson = false): HTMLElement => {
  const button = h("button", { type: "button", class: "copy", "aria-label": words.copyOf(label) }, icon("copy"));
  const said = h("span", { class: "visually-hidden", role: "status" });
  button.addEventListener("click", async () => {
    const done = await copyText(text);
    button.replaceChildren(icon(done ? "check" : "cross"));
    said.textContent = done ? words.copied : words.notCopied;
    setTimeout(() => {
      button.replaceChildren(icon("copy"));
      said.textContent = "";
    }, SHOWN);
  });
  const code = h("code", {}, ...(isJson ? coloured(text) : [text]));
  // It scrolls sideways by itself, and so has to be reached by the keyboard.
  const block = h("pre", { tabindex: 0, role: "region", "aria-label": label }, code);
  return h("div", { class: "code" }, block, button, said);
};
