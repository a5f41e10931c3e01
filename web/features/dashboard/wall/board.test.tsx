import { expect, setSystemTime, test } from "bun:test";
import { markOfflineServers } from "../../../../src/modules/servers/ingest/offline";
import { checkError } from "../../../../src/shared/check-error";
import { MINUTE } from "../../../../src/shared/limits";
import { START } from "../../../../src/testing/clock";
import { addMonitor, recordOnly } from "../../../../src/testing/fixtures/monitors";
import { signOut } from "../../../session";
import { startHubAs } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { fakeServer, render, screen, waitFor } from "../../../testing/test-page";
import DashboardPage from "../dashboard-page";
import WallPage from "./wall-page";

setUpPage({ path: "/dashboard?wall" });

const error = checkError("status", { actual: 503, expected: "200" });

/** Bob's hub with a shop that is down and a blog that is well. */
const start = async () => {
  const hub = await startHubAs("bob");
  const shop = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  const blog = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Blog" });
  await recordOnly(hub, shop, [{ at: START, up: false, error, statusCode: 503 }]);
  await recordOnly(hub, blog, [{ at: START }]);
  hub.clock.set(START + 40 * MINUTE);
  await markOfflineServers(hub.deps);
  return hub;
};

test("the wall of a signed-in user has problems with their reason, tiles of what is well, and nothing to press", async () => {
  await start();
  const { unmount } = render(<DashboardPage />);
  await screen.findByRole("heading", { level: 1, name: "1 monitor down" });
  screen.getByRole("heading", { level: 2, name: "Shop" });
  screen.getByText("Status 503, expected 200");
  screen.getByRole("heading", { level: 2, name: "1 healthy" });
  screen.getByText(/^Updated /);
  expect(screen.queryAllByRole("button")).toEqual([]);
  expect(document.documentElement.dataset).toMatchObject({ wall: "", theme: "dark" });
  unmount();
  expect(document.documentElement.dataset.wall).toBeUndefined();
});

test("the wall opens by the key of its address without a session, and shows nothing after it was revoked", async () => {
  const hub = await start();
  const { body } = await hub.as(hub.bob).post("/api/walls", { name: "Office" });
  signOut();
  history.replaceState(null, "", body.path);
  render(<WallPage />);
  await screen.findByText("Shop");
  expect(screen.queryAllByRole("link")).toEqual([]);
  await hub.as(hub.bob).delete(`/api/walls/${body.data.id}`);
  window.dispatchEvent(new Event("online"));
  await screen.findByText("This wall is not available");
  expect(screen.queryByText("Shop")).toBeNull();
});

test("the wall says that it is not current while the hub does not answer, and is current again afterwards", async () => {
  const hub = await start();
  render(<DashboardPage />);
  await screen.findByText("Shop");
  fakeServer.answer(() => Response.json({ success: false, code: "unavailable" }, { status: 503 }));
  try {
    // The answer to a call that was under way may be newer than the first change of the clock.
    const alert = await waitFor(() => {
      setSystemTime(Date.now() + 25_000);
      return screen.getByRole("alert");
    });
    expect(alert.textContent).toMatch(/^No connection for .+\. Below is the state of \d\d:\d\d\.$/);
    expect(document.querySelector(".wall.lost")).not.toBeNull();
    expect(screen.queryByText("1 monitor down")).toBeNull();
    fakeServer.answer(hub.send);
    window.dispatchEvent(new Event("online"));
    await screen.findByRole("heading", { level: 1, name: "1 monitor down" });
    expect(document.querySelector(".wall.lost")).toBeNull();
  } finally {
    setSystemTime();
  }
});
