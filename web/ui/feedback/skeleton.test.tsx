import "../../testing/test-dom";

import { afterEach, beforeAll, expect, jest, test } from "bun:test";
import { startI18n } from "../../i18n";
import { act, cleanup, render, screen } from "../../testing/test-page";
import { Skeleton } from "./skeleton";

beforeAll(async () => {
  localStorage.setItem("i18nextLng", "en-US");
  await startI18n();
});
afterEach(async () => {
  jest.useRealTimers();
  await cleanup();
});

test("a skeleton offers a reload button only after five seconds of loading", () => {
  jest.useFakeTimers();
  render(<Skeleton heights={["2rem"]} />);
  act(() => void jest.advanceTimersByTime(4999));
  expect(screen.queryByRole("button", { name: "Reload" })).toBeNull();
  act(() => void jest.advanceTimersByTime(1));
  expect(screen.getByRole("button", { name: "Reload" })).toBeTruthy();
});
