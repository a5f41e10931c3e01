import { bootstrap } from "../../bootstrap";
import { h } from "./dom";

const LINKS = ["blog", "video", "tempMail"] as const;

/** The texts of the footer in one language. */
export type FooterWords = Record<(typeof LINKS)[number] | "label", string>;

/** Fills the page's footer: copyright and the external links that are set. */
export const drawFooter = (words: FooterWords): void => {
  const shown = LINKS.filter((link) => bootstrap.links[link]);
  const items = shown.map((link) =>
    h("li", {}, h("a", { href: bootstrap.links[link], target: "_blank", rel: "noreferrer" }, words[link])),
  );
  document
    .getElementById("footer")
    ?.replaceChildren(
      h(
        "div",
        { class: "footer-row" },
        h("span", {}, `© ${new Date().getFullYear()} Wakeful`),
        items.length > 0 && h("nav", { "aria-label": words.label }, h("ul", {}, ...items)),
      ),
    );
};
