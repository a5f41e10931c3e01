import { expect, it } from "bun:test";
import { createTestApp } from "../../testing/app";
import { START } from "../../testing/clock";
import { addMonitor } from "../../testing/fixtures/monitors";
import { publish } from "../../testing/fixtures/status-page";
import { findPublished } from "./pages/find";
import { readData, sections } from "./publish";
import type { Section } from "./sections/section";

it("each section of the registry has a field in the answer, and counts in the overall status and the last change", async () => {
  const app = await createTestApp();
  const { alice } = await app.people();
  await publish(app, alice, {
    title: "Acme",
    monitors: [await addMonitor(app, alice, { url: "https://shop.example/" })],
  });
  const page = await findPublished(app.deps);
  if (!page) throw new Error("the page is published");
  const incidents: Section<"incidents", { at: number }, { text: string }> = {
    key: "incidents",
    read: async (_store, { userId }) => [{ at: START + userId }],
    present: (_row, { title }) => ({ text: `Incident of ${title}` }),
    changedAt: ({ at }) => at,
    health: () => "bad",
  };
  const data = await readData(app.deps, page, [...sections, incidents]);
  expect(data.incidents).toEqual([{ text: "Incident of Acme" }]);
  expect(data.monitors).toHaveLength(1);
  expect(data).toMatchObject({ overall: "outage", updated_at: new Date(START + page.userId).toISOString() });
});
