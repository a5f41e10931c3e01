import mark from "../../assets/mark.svg";
import { store } from "../../lib/storage";
import { h } from "../status/dom";
import { drawFooter } from "../status/footer";
import { icon } from "../status/icon";
import type { Speech } from "./words";

/** The navigation bar (back to the console, language, light or dark) and the footer. */
export const drawFrame = ({ language, words }: Speech, onSwitch: () => void): void => {
  const skip = document.getElementById("skip");
  if (skip) skip.textContent = words.skip;
  skip?.setAttribute("href", `${location.pathname}#main`);

  const other = h(
    "button",
    { type: "button", class: "plain-button", id: "language", lang: language === "zh-CN" ? "en-US" : "zh-CN" },
    words.otherLanguage,
  );
  other.addEventListener("click", onSwitch);
  const theme = h(
    "button",
    { type: "button", class: "plain-button theme", "aria-label": words.theme },
    icon("moon"),
    icon("sun"),
  );
  theme.addEventListener("click", () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    store("theme", next);
  });
  document
    .getElementById("navbar")
    ?.replaceChildren(
      h(
        "div",
        { class: "navbar-row" },
        h(
          "a",
          { class: "brand", href: "./", title: words.console },
          h("img", { src: mark, alt: "", width: 28, height: 28 }),
          "Wakeful",
        ),
        h("div", { class: "navbar-end" }, theme, other),
      ),
    );
  drawFooter(words.footer);
};
