import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { setUpPage } from "../../testing/set-up";
import { render, screen, userEvent } from "../../testing/test-page";
import { Rail } from "./rail";
import { RowLink } from "./rows";
import { useEscapeTo } from "./use-row-keys";

setUpPage({ path: "/monitors/2" });

const names = ["Shop", "Bank", "Mail"];
const items = names.map((name, index) => ({ id: index + 1, name }));

function Escape() {
  useEscapeTo("/monitors");
  return null;
}

const show = () =>
  render(
    <>
      <Escape />
      <input aria-label="Search" />
      <Rail
        label="Monitors"
        slice={{ items, offset: 0, total: items.length }}
        current={2}
        onShown={() => {}}
        row={({ id, name }) => (
          <li data-row>
            <RowLink href={`/monitors/${id}`} name={name} current={id === 2} />
          </li>
        )}
      />
    </>,
  );
const focused = () => document.activeElement?.textContent;

test("j, k and the arrow keys walk the rows from the open one, Enter opens a row, and Escape the list", async () => {
  show();
  await userEvent.keyboard("j");
  expect(focused()).toBe("Mail");
  await userEvent.keyboard("j");
  expect(focused()).toBe("Mail");
  await userEvent.keyboard("k{ArrowUp}");
  expect(focused()).toBe("Shop");
  await userEvent.keyboard("{Enter}");
  expect(location.pathname).toBe("/monitors/1");
  await userEvent.keyboard("{Escape}");
  expect(location.pathname).toBe("/monitors");
});

test("keys that are typed into a field, or with Ctrl, do not walk the rows", async () => {
  show();
  await userEvent.type(screen.getByRole("textbox"), "jk{Escape}");
  expect([document.activeElement?.tagName, location.pathname]).toEqual(["INPUT", "/monitors/2"]);
  await userEvent.click(document.body);
  await userEvent.keyboard("{Control>}j{/Control}");
  expect(focused()).not.toBe("Mail");
});

test("the row of the open page is marked", () => {
  show();
  expect(screen.getByRole("link", { current: "page" }).textContent).toBe("Bank");
});
