import { h } from "../status/dom";
import { icon } from "../status/icon";
import { type Call, type Document, wordsOf } from "./document";
import type { Speech } from "./words";

type Parts = { document: Document; calls: Call[]; cards: Map<string, HTMLElement>; speech: Speech };

/**
 * The search and the list of calls beside the page. Whatever does not match is left out of both.
 */
export const drawContents = (nav: HTMLElement, { document: { tags }, calls, cards, speech }: Parts): void => {
  const { words } = speech;
  const field = h("input", {
    type: "search",
    id: "search",
    placeholder: words.search,
    "aria-label": words.search,
    autocomplete: "off",
  });
  const count = h("p", { class: "visually-hidden", role: "status" });
  const links = new Map(
    calls.map((call) => [
      call.operationId,
      h(
        "a",
        // With a base element an address of its own is needed to stay on this page.
        { href: `${location.pathname}#${call.operationId}` },
        h("span", { class: `method ${call.method.toLowerCase()}` }, call.method),
        h("span", {}, words.summaries[call.operationId] ?? call.summary),
      ),
    ]),
  );
  const groups = tags.map(({ name }) => {
    const own = calls.filter((call) => call.tags.includes(name));
    const list = h("ul", {}, ...own.map(({ operationId }) => h("li", {}, links.get(operationId) as HTMLElement)));
    return { own, element: h("section", {}, h("h2", {}, words.tags[name] ?? name), list) };
  });
  const texts = new Map(
    calls.map((call) => [
      call.operationId,
      `${wordsOf(call)} ${words.summaries[call.operationId] ?? ""}`.toLowerCase(),
    ]),
  );

  const filter = () => {
    const wanted = field.value.trim().toLowerCase().split(/\s+/);
    let shown = 0;
    for (const { operationId } of calls) {
      const matches = wanted.every((word) => texts.get(operationId)?.includes(word));
      for (const element of [cards.get(operationId), links.get(operationId)?.parentElement])
        if (element) element.hidden = !matches;
      if (matches) shown++;
    }
    for (const { own, element } of groups) {
      const empty = own.every(({ operationId }) => cards.get(operationId)?.hidden);
      element.hidden = empty;
      const part = cards.get(own[0]?.operationId ?? "")?.closest("section");
      if (part) part.hidden = empty;
    }
    count.textContent = field.value === "" ? "" : shown === 0 ? words.nothing : words.found(shown);
    const nothing = document.getElementById("nothing");
    if (nothing) nothing.hidden = shown > 0;
  };
  field.addEventListener("input", filter);
  nav.setAttribute("aria-label", words.contents);
  nav.replaceChildren(
    h("div", { class: "search" }, icon("search"), field),
    count,
    h("div", { class: "groups" }, ...groups.map(({ element }) => element)),
  );
};
