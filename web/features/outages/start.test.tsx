import "../../testing/test-dom";

import { expect, test } from "bun:test";
import i18next from "i18next";
import { setUpPage } from "../../testing/set-up";
import { render, screen } from "../../testing/test-page";
import { Since, Start, useSince } from "./start";

setUpPage({ path: "/outages" });

const local = (minute: number, second = 0, year = new Date().getFullYear()) =>
  new Date(year, 0, 15, 12, minute, second).toISOString();
const outage = (after: string | null, at: string) => ({
  ...({ kind: "down", error_code: "status", ended_at: null } as const),
  ...{ started_at: at, started_after: after },
});

function Sentence({ of }: { of: ReturnType<typeof outage> }) {
  return <p>{useSince()(of, Date.parse(of.started_at))}</p>;
}

test.each([
  ["en-US", "between Jan 15, 12:04 and 12:05", "began between 12:04 and 12:05", "since 12:05"],
  ["zh-CN", "1月15日 12:04–12:05 之间", "约 12:04–12:05 开始", "12:05 起"],
] as const)(
  "a start that is known as a range is not read as the whole outage (%s)",
  async (language, cell, range, exact) => {
    await i18next.changeLanguage(language);
    render(
      <>
        <Start outage={outage(local(4), local(5))} short />
        <Sentence of={outage(local(4), local(5))} />
        <Sentence of={outage(local(4, 55), local(5))} />
      </>,
    );
    expect(screen.getByText(cell).closest("time")?.title).toContain("12:04:00");
    screen.getByText(range);
    screen.getByText(exact);
  },
);

test.each([
  ["en-US", "~Jan 15, 12:05", /^since ~.*12:05$/, /^began between .*12:04 and 12:05$/],
  ["zh-CN", "约 1月15日 12:05", /^约 .*12:05 起$/, /^约 .*12:04–12:05 开始$/],
] as const)(
  "rows show one approximate time for a start that is known as a range, which is the title and read aloud (%s)",
  async (language, cell, since, range) => {
    await i18next.changeLanguage(language);
    render(
      <>
        <Start outage={outage(local(4), local(5))} short />
        <Since outage={outage(local(4), local(5))} />
      </>,
    );
    expect(screen.getByText(cell).getAttribute("aria-hidden")).toBe("true");
    expect(screen.getByText(since).closest("time")?.title).toMatch(range);
    screen.getByText(range);
  },
);

test("a start in another year has its year", () => {
  render(<Start outage={outage(null, local(5, 0, 2024))} short />);
  screen.getByText("Jan 15, 2024, 12:05");
});
