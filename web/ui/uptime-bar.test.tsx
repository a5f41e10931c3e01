import "../lib/test-dom";

import { afterEach, beforeEach, expect, test } from "bun:test";
import { startI18n } from "../i18n";
import { cleanup, render, screen, userEvent } from "../lib/test-page";
import { UptimeBar } from "./uptime-bar";

beforeEach(async () => {
  localStorage.setItem("i18nextLng", "en-US");
  await startI18n();
});
afterEach(cleanup);

const slots = () => [...screen.getByRole("img").querySelectorAll("i")].map((slot) => slot.dataset.state);

test("24 slots, the newest on the right, said in a sentence", () => {
  render(<UptimeBar history={["up", "up", "down"]} />);
  expect(slots()).toHaveLength(24);
  expect(slots().slice(-4)).toEqual(["empty", "up", "up", "down"]);
  expect(screen.getByRole("img").getAttribute("aria-label")).toBe("Last 3 checks: 2 up, 1 down");
});

test("the arrow keys walk from check to check", async () => {
  const beat = { status: "down", timestamp: "2026-01-01T10:00:00Z", response_time: 12.5 };
  render(<UptimeBar history={["up", beat]} count={40} explore />);
  await userEvent.tab();
  await userEvent.keyboard("{ArrowLeft}");
  expect(screen.getByRole("status").textContent).toContain("Down · 13 ms");
  await userEvent.keyboard("{ArrowLeft}");
  expect(screen.getByRole("status").textContent).toContain("Up");
});
