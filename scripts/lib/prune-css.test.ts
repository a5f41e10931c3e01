import { afterAll, expect, it } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dropOutdatedRules, prunePico } from "./prune-css";

const folder = mkdtempSync(join(tmpdir(), "prune-css-"));
mkdirSync(join(folder, "styles"));
writeFileSync(join(folder, "main.tsx"), `import { Form } from "./form"; export const page = <main><Form /></main>;`);
writeFileSync(join(folder, "form.tsx"), `export const Form = () => <input type="checkbox" disabled />;`);
writeFileSync(join(folder, "styles/own.css"), `.note { color: var(--pico-note); }`);
afterAll(() => rmSync(folder, { recursive: true }));

const prune = (css: string, hasDarkTheme = true) =>
  prunePico(css, { components: [join(folder, "main.tsx")], styles: [join(folder, "styles")], hasDarkTheme });

it("keeps the rules of elements and attributes that a component or an import of it renders", () => {
  const css = "*{margin:0}main{margin:0}input[type=checkbox]{margin:0}[disabled]{margin:0}:is(input,b){margin:0}";
  expect(prune(css)).toBe(css.replace(":is(input,b)", ":is(input)"));
});

it("drops the rules of other elements, attributes and attribute values", () => {
  expect(prune("table td{margin:0}input[type=range]{margin:0}[dir=rtl] main{margin:0}@media print{b{margin:0}}")).toBe(
    "",
  );
});

it("keeps a variable that a kept rule or a stylesheet of the page uses, also through another variable", () => {
  const used = "main{--pico-a:1px;--pico-b:var(--pico-a);margin:var(--pico-b);--pico-note:red}";
  expect(prune(`${used}main{--pico-c:var(--pico-d);--pico-d:1px}`)).toBe(used);
});

it("drops the dark theme of a page without one", () => {
  const css = "[data-theme=light]{margin:0}[data-theme=dark]{margin:0}";
  expect(prune(css)).toBe(css);
  expect(prune(css, false)).toBe("[data-theme=light]{margin:0}");
});

it("drops the copies of a rule for browsers without :is()", () => {
  const css = "a:is(:hover,:focus){margin:0}";
  expect(dropOutdatedRules(`${css.replace(":is", ":-webkit-any")}${css.replace(":is", ":-moz-any")}${css}`)).toBe(css);
});
