import { expect, test } from "bun:test";
import { fitTiles } from "./fit";

const GAP = 0.375;

test("tiles become smaller the more there are, never leave their area, and are left out when not even the smallest fit", () => {
  for (const area of [
    { width: 85, height: 30 },
    { width: 22, height: 40 },
    { width: 5, height: 3 },
    { width: 60, height: 0.5 },
    { width: 0, height: 0 },
  ]) {
    let last = Number.POSITIVE_INFINITY;
    for (let count = 1; count <= 1000; count++) {
      const fit = fitTiles(area, count);
      const height = fit?.height ?? 0;
      expect(height).toBeLessThanOrEqual(last);
      last = height;
      if (!fit) continue;
      const rows = Math.ceil(count / fit.columns);
      expect(rows * (fit.height + GAP) - GAP).toBeLessThanOrEqual(area.height + 0.001);
    }
    expect(fitTiles(area, 1000)).toBeNull();
  }
});

test("three tiles on a television are of the largest size", () => {
  expect(fitTiles({ width: 85, height: 30 }, 3)).toMatchObject({ columns: 2, height: 9, font: 2.4 });
});
