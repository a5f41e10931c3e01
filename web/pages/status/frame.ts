import mark from "../../assets/mark.svg";
import { h } from "./dom";
import { drawFooter } from "./footer";
import { account, consoleLinks, isSignedIn } from "./navigation";
import type { Speech } from "./words";

const at = (id: string) => document.getElementById(id);

/** What surrounds the page: navigation bar and footer. */
export const drawFrame = ({ language, words }: Speech, onSwitch: () => void): void => {
  const skip = at("skip");
  if (skip) skip.textContent = words.skip;
  skip?.setAttribute("href", `${location.pathname}#main`);

  const other = h(
    "button",
    { type: "button", class: "plain-button", id: "language", lang: language === "zh-CN" ? "en-US" : "zh-CN" },
    words.otherLanguage,
  );
  other.addEventListener("click", onSwitch);
  const own = isSignedIn() ? consoleLinks(words) : undefined;
  at("navbar")?.replaceChildren(
    h(
      "div",
      { class: "navbar-row" },
      h("a", { class: "brand", href: "./" }, h("img", { src: mark, alt: "", width: 28, height: 28 }), "Wakeful"),
      own?.links,
      h(
        "div",
        { class: "navbar-end" },
        other,
        own ? account(words) : h("a", { class: "plain-button", href: "./login" }, words.login),
        own?.toggle,
      ),
    ),
  );

  drawFooter(words.footer);
};
