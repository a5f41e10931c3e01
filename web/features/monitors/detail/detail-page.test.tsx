import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import i18next from "i18next";
import { setUpPage } from "../../../testing/set-up";
import { fakeServer, render, screen, userEvent, waitFor, within } from "../../../testing/test-page";
import { detail, missing, monitor } from "../fixtures";
import DetailPage from "./detail-page";

const refreshedAfterDelete = () => {
  const deleted = fakeServer.calls.findIndex(({ method }) => method === "DELETE");
  return fakeServer.calls.slice(deleted + 1).some(({ method, path }) => method === "GET" && /\/\d+$/.test(path));
};

setUpPage({ path: "/monitors" });

test("a pending monitor shows its first result without a reload", async () => {
  let calls = 0;
  fakeServer.answer((_request, path) => {
    if (path.endsWith("series")) return Response.json({ success: true, points: [] });
    return detail(calls++ === 0 ? monitor({ id: 7, status: "pending", response_time: null }) : monitor({ id: 7 }));
  });
  render(<DetailPage id="7" />);
  expect((await screen.findAllByText("Pending")).length).toBeGreaterThan(0);
  await waitFor(() => expect(screen.getByText("84 ms")).toBeTruthy());
});

test("the overview shows interval and timeout in seconds", async () => {
  fakeServer.answer((_request, path) =>
    path.endsWith("series") ? Response.json({ success: true, points: [] }) : detail(monitor({ id: 9, interval: 120 })),
  );
  render(<DetailPage id="9" />);
  const shownAs = async (label: string) => (await screen.findByText(label)).nextElementSibling?.textContent;
  expect(await shownAs("Interval")).toBe("120 s");
  expect(await shownAs("Timeout")).toBe("30 s");
});

test.each([
  ["en-US", "Status 503, expected 2xx", "No complete answer within 5 s"],
  ["zh-CN", "状态码 503，期望 2xx", "5 秒内没有收到完整响应"],
] as const)("overview and check history show in %s why checks failed", async (language, latest, before) => {
  await i18next.changeLanguage(language);
  const check = { checked_at: "2026-01-01T00:00:00.000Z", status: "down", response_time: null, status_code: null };
  const checks = [
    { ...check, id: 2, error_code: "status", error_detail: { actual: 503, expected: "2xx" } },
    { ...check, id: 1, error_code: "timeout", error_detail: { seconds: 5 } },
  ];
  fakeServer.answer((_request, path) =>
    path.endsWith("series")
      ? Response.json({ success: true, points: [] })
      : path.includes("/checks")
        ? Response.json({ success: true, checks })
        : detail(monitor({ id: 8, status: "down" }), checks),
  );
  render(<DetailPage id="8" />);
  await screen.findByText(latest);
  await userEvent.click(screen.getByRole("tab", { name: language === "zh-CN" ? "检查记录" : "History" }));
  const rows = (await screen.findAllByRole("row")).map(({ textContent }) => textContent);
  expect(rows[1]).toEndWith(latest);
  expect(rows[2]).toEndWith(before);
});

test("a monitor that does not exist is reported as missing", async () => {
  fakeServer.answer(missing);
  render(<DetailPage id="999" />);
  await screen.findByRole("heading", { name: "Monitor does not exist" });
});

test("a monitor deleted elsewhere is reported as missing after a refresh", async () => {
  let present = true;
  fakeServer.answer((_request, path) => {
    if (!present) return missing();
    return path.endsWith("series") ? Response.json({ success: true, points: [] }) : detail(monitor({ id: 23 }));
  });
  render(<DetailPage id="23" />);
  await screen.findByRole("heading", { name: "Website" });
  present = false;
  await userEvent.click(screen.getByRole("button", { name: "Pause" }));
  await screen.findByRole("heading", { name: "Monitor does not exist" });
  expect(screen.queryByText("Normal")).toBeNull();
  expect(screen.queryByRole("button", { name: "Delete" })).toBeNull();
});

test("deleting a monitor opens the list, and a refresh before that shows no error", async () => {
  let present = true;
  fakeServer.answer(({ method }, path) => {
    if (method === "DELETE") present = false;
    else if (!present) return missing();
    else if (path.endsWith("series")) return Response.json({ success: true, points: [] });
    return method === "DELETE"
      ? Response.json({ success: true })
      : detail(monitor({ id: 24, status: "pending", last_checked: null, response_time: null }));
  });
  history.replaceState(null, "", "/monitors/24");
  render(<DetailPage id="24" />);
  await userEvent.click(await screen.findByRole("button", { name: "Delete" }));
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryAllByRole("dialog").length).toBe(0));
  document.dispatchEvent(new Event("visibilitychange"));
  await waitFor(() => expect(refreshedAfterDelete()).toBe(true));
  await waitFor(() => expect(location.pathname).toBe("/monitors"));
  expect(screen.getByRole("heading", { name: "Website" })).toBeTruthy();
  expect(screen.queryByText(/Could not refresh/)).toBeNull();
});
