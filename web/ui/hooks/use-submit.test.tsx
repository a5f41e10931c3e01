import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { setUpPage } from "../../testing/set-up";
import { renderHook, waitFor } from "../../testing/test-page";
import { useDelayedNavigate } from "./use-submit";

setUpPage();

/** Opens a page that can navigate; `leave` does what it does once a save or a deletion is done. */
const openPage = () => {
  const { result, unmount } = renderHook(useDelayedNavigate);
  return { unmount, leave: () => result.current("/list", 0) };
};

test("a page that stays open navigates after its delay", async () => {
  openPage().leave();
  await waitFor(() => expect(location.pathname).toBe("/list"));
});

test("a page that is left during its save or its delay does not navigate", async () => {
  const leftInDelay = openPage();
  leftInDelay.leave();
  leftInDelay.unmount();
  const leftInSave = openPage();
  leftInSave.unmount();
  leftInSave.leave();
  await Bun.sleep(5);
  expect(location.pathname).toBe("/");
});
