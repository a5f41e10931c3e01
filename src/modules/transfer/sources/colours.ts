import { TAG_COLOURS, type TagColour } from "../../../shared/tags";

/** A colour of each name, as the page shows it. */
const RGB: Record<TagColour, readonly [number, number, number]> = {
  gray: [107, 114, 128],
  brown: [146, 94, 58],
  orange: [234, 112, 28],
  yellow: [222, 176, 20],
  green: [34, 160, 84],
  teal: [20, 150, 150],
  blue: [52, 112, 224],
  pink: [214, 72, 150],
};

/** The colour that is nearest to one such as `#4B5563`; undefined for any other text. */
export const nearestColour = (text: string): TagColour | undefined => {
  const [, digits] = /^#?([0-9a-f]{6})/i.exec(text.trim()) ?? [];
  if (!digits) return undefined;
  const sent = [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
  const distance = (colour: TagColour) =>
    RGB[colour].reduce((sum, part, index) => sum + (part - (sent[index] ?? 0)) ** 2, 0);
  return TAG_COLOURS.toSorted((one, other) => distance(one) - distance(other))[0];
};
