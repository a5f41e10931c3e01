import { h } from "./dom";

type Item = { id: number };

/** A section of cards that are drawn anew only where what they show has changed. */
export const createCards = <T extends Item>(className: string, draw: (item: T) => HTMLElement) => {
  const heading = h("h2");
  const list = h("ul", { class: className });
  const section = h("section", {}, heading, list);
  let drawn = new Map<number, { mark: string; card: HTMLElement }>();

  const update = (title: string, items: readonly T[], context: string) => {
    heading.textContent = title;
    section.hidden = items.length === 0;
    const next = new Map<number, { mark: string; card: HTMLElement }>();
    for (const item of items) {
      const mark = context + JSON.stringify(item);
      const known = drawn.get(item.id);
      next.set(item.id, known?.mark === mark ? known : { mark, card: h("li", {}, draw(item)) });
    }
    drawn = next;
    const cards = [...next.values()].map(({ card }) => card);
    if (cards.length !== list.children.length || cards.some((card, place) => list.children[place] !== card))
      list.replaceChildren(...cards);
  };
  return { section, update };
};
