import "../../testing/test-dom";
import "../../../src/testing/fixtures/new-kinds/fan";

import { expect, test } from "bun:test";
import type { OutageKind } from "../../../src/shared/notifications";
import { START } from "../../../src/testing/clock";
import { enrollAgent } from "../../../src/testing/fixtures/agents";
import { addOutage } from "../../../src/testing/fixtures/outages";
import { startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { render, screen } from "../../testing/test-page";
import OutagePage from "./outage-page";

setUpPage({ path: "/outages/1" });

test("the page of an outage of a new kind has its name, its reason and its timeline", async () => {
  const hub = await startHubAs("bob");
  const { id } = await enrollAgent(hub, hub.bob, { hostname: "web-1" });
  const outage = {
    targetType: "agent",
    targetId: id,
    kind: "fan" as OutageKind,
    subject: "fan1",
    facts: { state: "stalled" },
  } as const;
  await addOutage(hub, hub.bob, { ...outage, endedAt: START + 60_000 });
  render(<OutagePage id="1" />);
  expect((await screen.findByRole("heading", { level: 1 })).textContent).toBe("web-1: Fan stopped");
  screen.getAllByText("Fan fan1: stalled");
  const titles = screen.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent);
  expect(titles).toEqual(expect.arrayContaining(["The fan stopped", "The fan turns again"]));
});
