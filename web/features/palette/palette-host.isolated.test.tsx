import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { fireEvent, render, screen } from "../../testing/test-page";
import { PaletteHost } from "./palette-host";

setUpPage({ path: "/dashboard" });

const press = (key: string, more: object = {}) => fireEvent.keyDown(document.body, { key, ...more });

test("what is typed while the code of the palette loads is its first search", async () => {
  await startHubAs("bob");
  render(<PaletteHost />);
  press("k", { ctrlKey: true });
  for (const key of "hop") press(key);
  press("Backspace");
  for (const key of "?/p") press(key);
  expect((await screen.findByRole<HTMLInputElement>("combobox")).value).toBe("ho?/p");
});
