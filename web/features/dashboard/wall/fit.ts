/** Sizes of problems, as multiples of the size of the text. */
const SCALES = [2, 1.6, 1.3, 1.1, 0.95, 0.8];

/**
 * Makes a list of problems as large as fits into `room`, but no larger than `enough` where a smaller one leaves room for
 * tiles (both in px). Problems that do not fit are hidden. Returns the number of those that are shown.
 */
export const fitProblems = (
  list: HTMLElement,
  { room, enough, more }: { room: number; enough: number; more: number },
) => {
  const rows = [...list.children] as HTMLElement[];
  for (const row of rows) row.hidden = false;
  const fits = (scale: number, height: number): boolean => {
    list.style.setProperty("--scale", String(scale));
    return list.offsetHeight <= height && list.scrollWidth <= list.clientWidth;
  };
  if (SCALES.some((scale) => fits(scale, enough)) || SCALES.some((scale) => fits(scale, room))) return rows.length;
  const { top } = list.getBoundingClientRect();
  const outside = rows.filter((row) => row.getBoundingClientRect().bottom > top + room - more);
  for (const row of outside) row.hidden = true;
  return rows.length - outside.length;
};

/** Widths, heights and sizes of the text of tiles (rem), the largest first. */
const TILES = [
  { width: 30, height: 9, font: 2.4 },
  { width: 24, height: 6, font: 1.9 },
  { width: 18, height: 4, font: 1.4 },
  { width: 14, height: 3.2, font: 1.2 },
  { width: 11, height: 2.6, font: 1.05 },
  { width: 9, height: 2.1, font: 0.9 },
  { width: 7.5, height: 1.8, font: 0.8 },
  { width: 6, height: 1.5, font: 0.7 },
];
const GAP = 0.375;

/** How much higher than its least height a tile becomes where there is room. */
const STRETCH = 1.5;

/**
 * The largest size of tiles so that `count` fit into an area (rem), or null if not even the smallest fit. `most` is the height that they
 * take together at most.
 */
export const fitTiles = (area: { width: number; height: number }, count: number) => {
  for (const { width, height, font } of TILES) {
    const columns = Math.max(1, Math.floor((area.width + GAP) / (width + GAP)));
    const rows = Math.floor((area.height + GAP) / (height + GAP));
    if (columns * rows >= count)
      return { columns, height, font, most: Math.ceil(count / columns) * (STRETCH * height + GAP) };
  }
  return null;
};
