import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { setUpPage } from "../../testing/set-up";
import { fakeServer, render, screen } from "../../testing/test-page";
import ConfigPage from "./config-page";

const config = {
  title: "Acme status",
  description: "",
  logoUrl: "",
  customCss: "",
  slug: "acme",
  path: "/status",
  published: true,
  page_id: 1,
  css_dropped: [],
  show_hostname: false,
  show_os: false,
  show_version: false,
  monitors: [{ id: 1, name: "Shop", selected: true }],
  agents: [],
  monitor_ids: [1],
  agent_ids: [],
  groups: [],
  monitors_total: 1,
  agents_total: 0,
};

setUpPage({ path: "/status/config", width: 1000 });

for (const [what, answer] of [
  ["with its wrapper", { success: true, config }],
  ["without a wrapper", config],
] as const) {
  test(`the configuration is shown when the answer comes ${what}`, async () => {
    fakeServer.answer(() => Response.json(answer));
    render(<ConfigPage />);
    expect(await screen.findByDisplayValue("Acme status")).toBeTruthy();
  });
}
