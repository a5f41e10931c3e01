import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { startHubAs } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { render, screen, userEvent } from "../../../testing/test-page";
import CreatePage from "./create-page";

setUpPage({ path: "/monitors/form" });

test("text that a program enters with the focus replaces the name that was filled in", async () => {
  await startHubAs("bob");
  render(<CreatePage />);
  const name = () => screen.getByLabelText<HTMLInputElement>("Name *");
  await userEvent.type(screen.getByLabelText("URL *"), "https://shop.example/");
  name().select();
  name().focus();
  expect(name().value).toBe("shop.example");
  await userEvent.keyboard("Shop");
  expect(name().value).toBe("Shop");
});
