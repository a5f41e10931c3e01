/** The custom properties of a rule that are colours. */
export const colorsOf = (css: string, selector: string): Record<string, string> => {
  const [, rule = ""] = css.split(`${selector} {`);
  return Object.fromEntries(
    [...(rule.split("}")[0] ?? "").matchAll(/(--[\w-]+): (#\w+);/g)].map(([, name = "", value = ""]) => [name, value]),
  );
};

/** The channels of a colour such as `#d93a4a` or `#fff`, from 0 to 255. */
const channelsOf = (color: string): number[] => {
  const digits = color.slice(1);
  const long = digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits;
  return [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16));
};

/** A colour with another one as its background, as `color-mix(in srgb, …)` gives it. */
export const mix = (color: string, background: string, share: number): string => {
  const behind = channelsOf(background);
  const mixed = channelsOf(color).map((value, at) => Math.round(value * share + (behind[at] ?? 0) * (1 - share)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
};

const luminanceOf = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** The contrast of two colours as WCAG defines it, from 1 to 21. */
export const contrastOf = (one: string, other: string): number => {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};
