import { source as axe } from "axe-core";
import type { Page } from "playwright-core";

type Finding = { id: string; impact: string; nodes: { html: string }[] };
declare const window: { axe: { run(options: object): Promise<{ violations: Finding[] }> } };

/**
 * Serious accessibility violations, one line each. `contrast`: of colours as well, which takes most of the time and depends
 * neither on the width of a page nor on how much it lists.
 */
export const hindrances = async (page: Page, { contrast = true } = {}): Promise<string[]> => {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const rules = { "color-contrast": { enabled: contrast } };
  const { violations } = await page.evaluate((rules) => window.axe.run({ resultTypes: ["violations"], rules }), rules);
  return violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
};

/** Horizontal overflow of the page in pixels. */
export const excess = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
