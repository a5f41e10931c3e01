import { expect, test } from "bun:test";
import { join } from "node:path";
import { colorsOf, contrastOf, mix } from "../../testing/colors";

const styles = (name: string) => Bun.file(join(import.meta.dir, name)).text();
const SEVERITY = ["short", "down", "long"] as const;

test.each([
  ["light", ':root:not([data-theme="dark"])'],
  ["dark", ':root[data-theme="dark"]'],
])(
  "the longer a day was down, the more its colour stands out, and amber least, in the %s theme",
  async (_, selector) => {
    const tokens = colorsOf(await styles("../../styles/tokens.css"), selector);
    const own = await styles("report-table.css");
    const contrasts = SEVERITY.map((tone) => {
      const [, color = "", percent] =
        new RegExp(`\\.report-tone\\.${tone} {\\s*background: color-mix\\(in srgb, var\\((--\\w+)\\) (\\d+)%`).exec(
          own,
        ) ?? [];
      return contrastOf(
        mix(tokens[color] ?? "", tokens["--surface"] ?? "", Number(percent) / 100),
        tokens["--surface"] ?? "",
      );
    });
    expect(contrasts).toEqual(contrasts.toSorted((one, other) => one - other));
    for (const [place, contrast] of contrasts.entries())
      if (place > 0) expect(contrast / (contrasts[place - 1] ?? 1)).toBeGreaterThan(1.25);
  },
);
