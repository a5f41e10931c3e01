import { source as axe } from "axe-core";
import type { Page } from "playwright-core";

type Finding = { id: string; impact: string; nodes: { html: string }[] };
declare const window: { axe: { run(options: object): Promise<{ violations: Finding[] }> } };

/** Serious accessibility violations, one line each. */
export const hindrances = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
  return violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
};

/** Horizontal overflow of the page in pixels. */
export const excess = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
