import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";

type Finding = { id: string; impact: string; nodes: { html: string }[] };
declare const window: { axe: { run(options: object): Promise<{ violations: Finding[] }> } };

/** The minified source, which a page loads in half the time. */
export const axe = readFileSync(Bun.resolveSync("axe-core/axe.min.js", import.meta.dir), "utf8");

/** Rules whose findings are moderate or minor, which are not reported. */
const MODERATE = [
  ...["aria-allowed-role", "aria-deprecated-role", "empty-heading", "empty-table-header", "focus-order-semantics"],
  ...["form-field-multiple-labels", "heading-order", "hidden-content", "html-xml-lang-mismatch", "image-redundant-alt"],
  ...["landmark-banner-is-top-level", "landmark-contentinfo-is-top-level", "landmark-main-is-top-level"],
  ...["landmark-no-duplicate-banner", "landmark-no-duplicate-contentinfo", "landmark-no-duplicate-main"],
  ...["landmark-one-main", "landmark-unique", "meta-viewport", "meta-viewport-large", "no-autoplay-audio"],
  ...["page-has-heading-one", "presentation-role-conflict", "region", "scope-attr-valid", "server-side-image-map"],
  ...["skip-link", "table-duplicate-name"],
];

/**
 * Serious accessibility violations, one line each. `contrast`: of colours as well, which takes most of the time and depends
 * neither on the width of a page nor on how much it lists.
 */
export const axeViolations = async (page: Page, { contrast = true } = {}): Promise<string[]> => {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const enabled = { ...Object.fromEntries(MODERATE.map((rule) => [rule, false])), "color-contrast": contrast };
  const rules = Object.fromEntries(Object.entries(enabled).map(([rule, enabled]) => [rule, { enabled }]));
  const options = { resultTypes: ["violations"], rules };
  const { violations } = await page.evaluate((options) => window.axe.run(options), options);
  return violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
};

/** Horizontal overflow of the page in pixels. */
export const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
