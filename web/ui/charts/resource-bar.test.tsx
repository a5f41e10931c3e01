import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { setUpPage } from "../../testing/set-up";
import { render, screen } from "../../testing/test-page";
import { ResourceBar, ResourceCell } from "./resource-bar";

setUpPage();

const fill = (name: RegExp) => screen.getByRole("img", { name }).firstElementChild;

test("a bar has the tint of its level, and a neutral one has no level", () => {
  render(
    <>
      <ResourceBar label="CPU" percent={49.9} text="49.9%" />
      <ResourceBar label="Memory" percent={74.9} text="74.9%" />
      <ResourceBar label="Disk" percent={75} text="75%" />
      <ResourceBar label="Network" percent={100} text="2 MB/s" neutral />
    </>,
  );
  const levels = [/CPU/, /Memory/, /Disk/, /Network/].map((name) => fill(name)?.getAttribute("class"));
  expect(levels).toEqual(["green", "amber", "red", "neutral"]);
});

test("a cell has its figure as a name and as a text, and an empty bar for an unknown figure", () => {
  const { container } = render(
    <>
      <ResourceCell label="CPU" percent={98} text="98%" />
      <ResourceCell label="Disk" percent={null} text="–" />
    </>,
  );
  expect(fill(/^CPU: 98%$/)?.getAttribute("width")).toBe("98%");
  expect(fill(/^Disk: –$/)?.getAttribute("width")).toBe("0%");
  expect(container.textContent).toBe("98%–");
});
