import "../../testing/test-dom";

import { expect, test } from "bun:test";
import i18next from "i18next";
import { setUpPage } from "../../testing/set-up";
import { render, screen } from "../../testing/test-page";
import { Verdict } from "./verdict";

setUpPage({ path: "/dashboard" });

/** The title with five monitors down and these other problems. */
const titleWith = async (
  kinds: readonly ("budget_spent" | "budget_burning" | "service" | "array")[],
  language = "en-US",
) => {
  await i18next.changeLanguage(language);
  const down = Array.from({ length: 5 }, () => "down" as const);
  const dashboard = {
    ...{
      unknown: null,
      well_since: null,
      problems_total: 5 + kinds.length,
      in_maintenance: { monitors: 0, agents: 0 },
    },
    monitors: { up: 20, down: 5, pending: 0, total: 25 },
    agents: { active: 2, inactive: 0, connecting: 0, total: 2 },
    problems: [...down, ...kinds].map((kind) => ({ kind, target_name: "Shop" })),
  };
  render(<Verdict dashboard={dashboard} />);
  return screen.getByRole("heading", { level: 1 }).textContent;
};

test.each([
  ["en-US", "5 monitors down, 2 objectives missed, 1 objective at risk, 2 server problems"],
  ["zh-CN", "5 个监控故障，2 个可用率目标未达到，1 个可用率目标有风险，2 个服务器问题"],
])("the title does not count the objectives of monitors as problems of servers, in %s", async (language, title) => {
  const kinds = ["budget_spent", "service", "budget_burning", "budget_spent", "array"] as const;
  expect(await titleWith(kinds, language)).toBe(title);
});
