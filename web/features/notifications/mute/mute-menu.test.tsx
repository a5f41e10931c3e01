import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { changes } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { fakeServer, render, screen, userEvent, waitFor } from "../../../testing/test-page";
import { type Muted, MutedMark, MuteMenu, minutesToTomorrow } from "./mute-menu";

setUpPage({ path: "/monitors" });

const open = async (muted: Muted | null, type: "monitor" | "agent" = "monitor") => {
  let changes = 0;
  fakeServer.answer(() => Response.json({ success: true, muted: null }));
  render(<MuteMenu target={{ type, id: 7, name: "Shop" }} muted={muted} onChanged={() => ++changes} />);
  await userEvent.click(screen.getByRole("button", { name: /^Mute: Shop/ }));
  return { changed: () => waitFor(() => expect(changes).toBe(1)) };
};
const NINE = new Date(2026, 0, 16, 9, 0).toISOString();
const calls = () => changes().map(({ method, path, body }) => [method, path, body]);

test.each([
  ["Mute for 1 hour", { minutes: 60 }],
  ["Mute until it recovers", { until_recovery: true }],
  ["Mute indefinitely", {}],
] as const)("“%s” mutes a monitor in two clicks", async (label, body) => {
  const { changed } = await open(null);
  await userEvent.click(screen.getByRole("menuitem", { name: label }));
  await changed();
  expect(calls()).toEqual([["POST", "/api/monitors/7/mute", body]]);
});

test("a muted target says until when, and its menu only ends the mute", async () => {
  const { changed } = await open({ until: NINE, until_recovery: false }, "agent");
  screen.getByText("Muted until Jan 16, 09:00");
  await userEvent.click(screen.getByRole("menuitem"));
  await changed();
  expect(calls()).toEqual([["DELETE", "/api/agents/7/mute", undefined]]);
});

test("“until tomorrow” ends at nine o'clock of the next day", () => {
  expect(minutesToTomorrow(new Date(2026, 0, 15, 23, 59, 30).getTime())).toBe(9 * 60 + 1);
  expect(minutesToTomorrow(new Date(2026, 0, 15, 1, 0).getTime())).toBe(32 * 60);
});

test.each([
  [{ until: null, until_recovery: false }, "Muted"],
  [{ until: null, until_recovery: true }, "Muted until it recovers"],
  [{ until: NINE, until_recovery: true }, "Muted until Jan 16, 09:00, or until it recovers"],
] as const)("a struck bell says how long a target is muted: %p", (muted, text) => {
  render(<MutedMark of={{ muted, maintenance: null }} />);
  expect(screen.getByTitle(text).textContent).toBe(text);
});

test("a struck bell says until when a target is in maintenance, beside its mute", () => {
  const muted = { until: null, until_recovery: true };
  render(<MutedMark of={{ muted, maintenance: { until: NINE } }} />);
  screen.getByTitle("Under maintenance until Jan 16, 09:00 · Muted until it recovers");
});

test("there is no mark at a target that is not muted", () => {
  expect(render(<MutedMark of={{ muted: null, maintenance: null }} />).container.innerHTML).toBe("");
});
