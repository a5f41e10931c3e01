import { afterAll, beforeAll, expect, it } from "bun:test";
import type { Browser, Locator } from "playwright-core";
import { type HubProcess, installConsole, joinAs, monitorOf, startConsole } from "../smoke/lib/hub";
import { until } from "../smoke/lib/until";
import { contextOf, launchBrowser, narrow, recordPageErrors, signInWith, wide } from "./lib/browser";
import { words } from "./lib/words";

const installation = installConsole();
let running: HubProcess;
let browser: Browser;

beforeAll(async () => {
  [running, browser] = await Promise.all([startConsole(installation), launchBrowser()]);
}, 60_000);

afterAll(async () => {
  await browser.close();
  await running.stop();
  installation.remove();
});

const { dashboard, incidents, statusPage, outages } = words["en-US"];
const { editor } = incidents;

it("an outage becomes an incident on a phone, and a visitor reads its updates until it is resolved", async () => {
  const alice = await joinAs(running, "alice");
  // Nothing listens there.
  const { monitor } = (await alice.post("/api/monitors", { ...monitorOf("http://localhost:1/", "Shop"), retries: 0 }))
    .body;
  await alice.post("/api/status/config", { title: "Acme", monitors: [monitor.id] });
  await alice.post(`/api/monitors/${monitor.id}/check`);
  const readOutage = async () => (await alice.get(`/api/outages?target=monitor:${monitor.id}`)).body.outages[0]?.id;
  await until("there is an outage", async () => (await readOutage()) !== undefined);

  const phone = await browser.newContext({
    ...contextOf({ language: "en-US", theme: "dark", ...narrow }),
    hasTouch: true,
  });
  await signInWith(phone, alice.signedIn);
  const writer = await phone.newPage();
  const newErrors = await recordPageErrors(writer);
  const taps: Locator[] = [];
  const tap = async (target: Locator) => {
    taps.push(target);
    await target.tap();
  };
  /** Types a text where the focus is, which takes no tap. */
  const type = async (text: string) => {
    await writer.locator("textarea[name=body]:focus").waitFor();
    await writer.keyboard.type(text);
  };
  // From the dashboard: the outage, its incident, and the button.
  await writer.goto(`${running.origin}/dashboard`);
  await tap(
    writer
      .getByRole("main")
      .locator(`a[href$="/outages/${await readOutage()}"]`)
      .first(),
  );
  await tap(writer.getByRole("link", { name: outages.publish }));
  const dialog = writer.getByRole("dialog");
  await dialog.getByText("Only you see this").waitFor();
  expect(await dialog.getByLabel(editor.name).inputValue()).toBe("Shop is down");
  await type("The shop is **down**. <b>We</b> are looking into it.");
  await tap(dialog.getByRole("button", { name: editor.publish }));
  await writer.getByRole("heading", { name: "Shop is down" }).waitFor();
  expect(taps.splice(0)).toHaveLength(3);

  const visiting = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
  const visitor = await visiting.newPage();
  const visitorErrors = await recordPageErrors(visitor);
  await visitor.goto(`${running.origin}/status`);
  const shown = visitor.locator(".incident", { hasText: "Shop is down" });
  await shown.getByText(incidents.status.investigating).waitFor();
  expect(await shown.locator(".text").innerHTML()).toBe(
    "<p>The shop is <strong>down</strong>. &lt;b&gt;We&lt;/b&gt; are looking into it.</p>",
  );
  expect(await visitor.getByText(incidents.component.major_outage).first().isVisible()).toBe(true);
  const document = await (await fetch(`${running.origin}/status`)).text();
  expect(document).toContain("Shop is down");
  expect(document).not.toContain("ECONNREFUSED");

  // From the outage, which alerts link: its incident, a state, and the button.
  await writer.goto(`${running.origin}/outages/${await readOutage()}`);
  await tap(writer.getByRole("link", { name: outages.publish }));
  await writer.locator("textarea[name=body]:focus").waitFor();
  await tap(writer.getByRole("button", { name: incidents.status.identified }));
  await type("A disk was full.");
  await tap(writer.getByRole("button", { name: editor.post }));
  await writer.locator(".incident-text", { hasText: "A disk was full." }).waitFor();
  expect(taps.splice(0)).toHaveLength(3);
  expect(await writer.getByLabel(editor.text).inputValue()).toBe("");

  // From the dashboard: the incident, a state, and the button.
  await writer.goto(`${running.origin}/dashboard`);
  await tap(writer.getByRole("list", { name: dashboard.incident.label }).getByRole("link"));
  await writer.locator("textarea[name=body]:focus").waitFor();
  await tap(writer.getByRole("button", { name: incidents.status.monitoring }));
  await type("The disk is empty again.");
  await tap(writer.getByRole("button", { name: editor.post }));
  await writer.locator(".incident-text", { hasText: "The disk is empty again." }).waitFor();
  expect(taps.splice(0)).toHaveLength(3);

  // The page of a visitor goes on showing what is new without being loaded again.
  await visitor.clock.install();
  await visitor.reload();
  await writer.getByRole("button", { name: incidents.status.resolved }).click();
  await writer.getByLabel(editor.text).fill("The shop is back.");
  await writer.getByRole("button", { name: editor.post }).click();
  await writer.getByRole("heading", { name: editor.past }).waitFor();
  await until("the resolved incident is published", async () =>
    (await (await fetch(`${running.origin}/api/status/data`)).text()).includes("The shop is back."),
  );
  await visitor.clock.fastForward(61_000);
  await visitor.getByText("The shop is back.").waitFor();
  await visitor.getByRole("heading", { name: incidents.past }).waitFor();
  await visitor.getByRole("link", { name: "Shop is down", exact: true }).click();
  await visitor.getByText("A disk was full.").waitFor();
  expect(await visitor.title()).toBe("Shop is down · Acme");
  await visitor.getByRole("link", { name: incidents.back }).click();
  await visitor.getByRole("heading", { name: statusPage.services }).waitFor();
  expect([...newErrors(), ...visitorErrors()]).toEqual([]);
  await phone.close();
  await visiting.close();
}, 180_000);
