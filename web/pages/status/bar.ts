import { h, svg } from "./dom";

export type Slot = { tone: string; text: string };
type Bar = { id: string; title: string; sentence: string; slots: readonly Slot[]; className: string };

/** Where the keyboard was in each bar, so that a refresh does not lose the place. */
const places = new Map<string, number>();

/** Puts away what a finger asked for: lifted right away, it stays until the finger does something else. */
let putAway = () => {};
for (const event of ["pointerdown", "scroll"]) addEventListener(event, () => putAway(), true);

/** One path for each tone, however many slots: a hundred bars stay light. */
const draw = (slots: readonly Slot[]) => {
  const paths = new Map<string, string>();
  slots.forEach(({ tone }, place) => {
    paths.set(tone, `${paths.get(tone) ?? ""}M${place + 0.5} 0V1`);
  });
  return svg(
    "svg",
    { viewBox: `0 0 ${slots.length} 1`, preserveAspectRatio: "none", "aria-hidden": "true" },
    ...[...paths].map(([tone, d]) => svg("path", { d, class: tone })),
  );
};

/** A row of marks, oldest left. Pointer and arrow keys walk along it and say what each mark stands for. */
export const explorableBar = ({ id, title, sentence, slots, className }: Bar): HTMLElement => {
  const last = slots.length - 1;
  const tip = h("span", { class: "tip", hidden: "" });
  const mark = h("i", { class: "mark", hidden: "" });
  const bar = h(
    "div",
    {
      id,
      class: `slots ${className}`,
      tabindex: 0,
      role: "slider",
      "aria-label": title,
      "aria-valuemin": 1,
      "aria-valuemax": slots.length,
      "aria-valuenow": slots.length,
      "aria-valuetext": sentence,
      "aria-readonly": "true",
      "aria-orientation": "horizontal",
    },
    draw(slots),
    mark,
    tip,
  );

  const show = (wanted: number) => {
    const place = Math.min(last, Math.max(0, wanted));
    const { tone, text } = slots[place] as Slot;
    const at = ((place + 0.5) / slots.length) * 100;
    tip.textContent = text;
    tip.hidden = mark.hidden = false;
    mark.className = `mark ${tone}`;
    mark.style.left = `${at}%`;
    // Over its mark, but never past the ends of the bar.
    const half = Math.min(bar.clientWidth, tip.offsetWidth) / 2;
    tip.style.left = `clamp(${half}px, ${at}%, calc(100% - ${half}px))`;
    return place;
  };
  const hide = () => {
    tip.hidden = mark.hidden = true;
  };
  const hear = (place: number) => {
    places.set(id, place);
    bar.setAttribute("aria-valuenow", String(place + 1));
    bar.setAttribute("aria-valuetext", slots[place]?.text ?? "");
  };

  const point = ({ clientX, pointerType }: PointerEvent) => {
    const { left, width } = bar.getBoundingClientRect();
    show(Math.floor(((clientX - left) / width) * slots.length));
    if (pointerType === "touch") putAway = hide;
  };
  bar.addEventListener("pointerdown", point);
  bar.addEventListener("pointermove", point);
  bar.addEventListener("pointerleave", ({ pointerType }) => pointerType === "touch" || hide());
  bar.addEventListener("blur", () => {
    places.delete(id);
    hide();
  });
  bar.addEventListener("focus", () => {
    const place = places.get(id);
    if (place !== undefined) show(place);
  });
  bar.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return hide();
    const now = places.get(id) ?? last + 1;
    const next = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    hear(show(next));
  });
  return bar;
};

/** How a bar's place outlives the bar itself: what is drawn anew while it has the keyboard gets it back. */
export const keepFocus = (redraw: () => void): void => {
  const id = document.activeElement?.id;
  const place = id ? places.get(id) : undefined;
  redraw();
  if (!id || document.activeElement?.id === id) return;
  if (place !== undefined) places.set(id, place);
  document.getElementById(id)?.focus({ preventScroll: true });
};
