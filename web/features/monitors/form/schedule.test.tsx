import "../../../testing/test-dom";

import { expect, onTestFinished, test } from "bun:test";
import { bootstrap } from "../../../bootstrap";
import { startHubAs } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { render, screen, userEvent, waitFor } from "../../../testing/test-page";
import CreatePage from "./create-page";

setUpPage({ path: "/monitors/form" });

test("the form says how long a failure must last to count, and quick rechecks can be switched off", async () => {
  const hub = await startHubAs("bob");
  render(<CreatePage />);
  await userEvent.type(screen.getByLabelText("URL *"), "https://example.com");
  await userEvent.click(screen.getByText("More settings"));
  screen.getByText("1 retry after 1 s: a failure must last 1 s to count");
  const enter = async (label: string, value: string) => {
    await userEvent.clear(screen.getByLabelText(label));
    await userEvent.type(screen.getByLabelText(label), value);
  };
  await enter("Retries after a failure", "2");
  await enter("Pause before a retry (seconds) *", "20");
  screen.getByText("2 retries, 20 s apart: a failure must last 40 s to count");
  await enter("Retries after a failure", "0");
  screen.getByText("Without retries, every failure counts immediately");
  await userEvent.click(screen.getByLabelText("Check every 15 seconds during the first 10 minutes of an outage"));
  await userEvent.click(screen.getByRole("button", { name: "Add monitor" }));
  await waitFor(() => expect(location.pathname).toBe("/monitors"));
  expect((await hub.client.get("/api/monitors/1")).body.monitor).toMatchObject({
    retries: 0,
    retry_pause: 20,
    quick_recheck: false,
  });
});

test("where the hub allows less than a minute, the form asks for seconds", async () => {
  const usual = bootstrap.minInterval;
  bootstrap.minInterval = 10;
  onTestFinished(() => {
    bootstrap.minInterval = usual;
  });
  const hub = await startHubAs("bob", { env: { MIN_INTERVAL: "10" } });
  render(<CreatePage />);
  await userEvent.type(screen.getByLabelText("URL *"), "https://example.com");
  await userEvent.click(screen.getByText("More settings"));
  const interval = screen.getByLabelText("Interval (seconds) *");
  expect(interval.getAttribute("value")).toBe("60");
  screen.getByText("From 10 to 86400 seconds");
  await userEvent.clear(interval);
  await userEvent.type(interval, "15");
  await userEvent.clear(screen.getByLabelText("Timeout (seconds) *"));
  await userEvent.type(screen.getByLabelText("Timeout (seconds) *"), "5");
  await userEvent.click(screen.getByRole("button", { name: "Add monitor" }));
  await waitFor(() => expect(location.pathname).toBe("/monitors"));
  expect((await hub.client.get("/api/monitors/1")).body.monitor).toMatchObject({ interval: 15, timeout: 5 });
});
