import "../../testing/test-dom";

import { afterEach, beforeEach, expect, test } from "bun:test";
import { setUpPage } from "../../testing/set-up";
import { render, screen, userEvent, waitFor } from "../../testing/test-page";
import { Toasts } from "../feedback/toast";
import { CopyButton } from "./copy-button";

const copies: string[] = [];
/** Replaces the clipboard. Undefined, as over plain HTTP, means that the browser has no clipboard. */
const clipboard = (value: object | undefined) =>
  Object.defineProperty(navigator, "clipboard", { configurable: true, value });

setUpPage();
beforeEach(() => {
  copies.length = 0;
  clipboard({ writeText: async (text: string) => void copies.push(text) });
});
afterEach(() => {
  document.execCommand = () => false;
});

test("the copy button copies its text and shows a confirmation for two seconds", async () => {
  render(<CopyButton text="a b" what="Token" />);
  await userEvent.click(screen.getByRole("button", { name: "Copy: Token" }));
  await screen.findByRole("button", { name: "Copied" });
  expect(copies).toEqual(["a b"]);
  await waitFor(() => screen.getByRole("button", { name: "Copy: Token" }));
});

test("the copy button copies through a selection when the browser has no clipboard API", async () => {
  clipboard(undefined);
  document.execCommand = () => {
    const field = document.querySelector("textarea");
    copies.push(field?.value ?? "nothing");
    return true;
  };
  render(<CopyButton text="by hand" what="Token" />);
  await userEvent.click(screen.getByRole("button"));
  await screen.findByRole("button", { name: "Copied" });
  expect(copies).toEqual(["by hand"]);
  expect(document.querySelector("textarea")).toBeNull();
});

test("the copy button shows an error notice when copying fails", async () => {
  clipboard(undefined);
  document.execCommand = () => false;
  render(
    <>
      <CopyButton text="x" what="Token" />
      <Toasts />
    </>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Copy: Token" }));
  expect((await screen.findByRole("alert")).textContent).toContain("Couldn’t copy");
});
