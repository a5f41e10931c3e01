import "../../testing/test-dom";

import { afterEach, expect, jest, test } from "bun:test";
import { setUpPage } from "../../testing/set-up";
import { act, render, screen } from "../../testing/test-page";
import { Skeleton } from "./skeleton";

// Before the page is unmounted, which needs timers.
afterEach(() => void jest.useRealTimers());
setUpPage();

test("a skeleton offers a reload button only after five seconds of loading", () => {
  jest.useFakeTimers();
  render(<Skeleton heights={["2rem"]} />);
  act(() => void jest.advanceTimersByTime(4999));
  expect(screen.queryByRole("button", { name: "Reload" })).toBeNull();
  act(() => void jest.advanceTimersByTime(1));
  expect(screen.getByRole("button", { name: "Reload" })).toBeTruthy();
});
