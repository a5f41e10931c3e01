import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { colorsOf } from "../../testing/colors";
import { setUpPage } from "../../testing/set-up";
import { render, screen } from "../../testing/test-page";
import { Placeholder } from "./live-preview";

setUpPage();

const styles = (path: string) => readFileSync(join(import.meta.dir, path), "utf8");
test("the placeholder of the preview has the theme of the page, and that of the console where the page follows visitors", () => {
  const { rerender } = render(<Placeholder theme="dark" />);
  const theme = () => screen.getByRole("status").getAttribute("data-theme");
  expect(theme()).toBe("dark");
  rerender(<Placeholder theme="auto" />);
  expect(theme()).toBeNull();
});

test("the colours of the placeholder are those of the tokens", () => {
  const [own, tokens] = [styles("status-config.css"), styles("../../styles/tokens.css")];
  for (const [theme, selector] of [
    ["light", ':root:not([data-theme="dark"])'],
    ["dark", ':root[data-theme="dark"]'],
  ]) {
    const colors = colorsOf(own, `.preview-blank[data-theme="${theme}"]`);
    expect(Object.keys(colors)).toHaveLength(5);
    expect(colorsOf(tokens, selector ?? "")).toMatchObject(colors);
  }
});
