import "../../testing/test-dom";

import { expect, spyOn, test } from "bun:test";
import { setUpPage } from "../../testing/set-up";
import { fireEvent, render, screen, userEvent } from "../../testing/test-page";
import { MenuItem, RowMenu } from "./row-menu";
import { RowLink, Rows } from "./rows";
import { SortHeader } from "./sort-header";

setUpPage({ path: "/monitors" });

const show = (pressed = () => {}) =>
  render(
    <Rows>
      <ul>
        <li data-row>
          <RowLink href="/monitors/7" name="Shop" />
          <span>99.50%</span>
          <RowMenu name="Shop">
            <MenuItem icon="edit" href="/monitors/edit/7">
              Edit
            </MenuItem>
            <MenuItem icon="trash" onClick={pressed}>
              Delete
            </MenuItem>
          </RowMenu>
        </li>
      </ul>
    </Rows>,
  );

test("a click anywhere on a row opens its link", async () => {
  show();
  await userEvent.click(screen.getByText("99.50%"));
  expect(location.pathname).toBe("/monitors/7");
});

test("a middle click and a click with Ctrl open a row in a new tab", () => {
  const open = spyOn(window, "open").mockReturnValue(null);
  show();
  const cell = screen.getByText("99.50%");
  fireEvent(cell, new MouseEvent("auxclick", { bubbles: true, button: 1 }));
  fireEvent.click(cell, { ctrlKey: true });
  expect(open.mock.calls.map(([address]) => new URL(String(address)).pathname)).toEqual(["/monitors/7", "/monitors/7"]);
  expect(location.pathname).toBe("/monitors");
  open.mockRestore();
});

test("selecting text of a row does not open it", () => {
  show();
  const cell = screen.getByText("99.50%");
  getSelection()?.selectAllChildren(cell);
  fireEvent.click(cell);
  expect(location.pathname).toBe("/monitors");
  getSelection()?.removeAllRanges();
});

test("the menu of a row names the row, and its actions do not open it", async () => {
  let pressed = 0;
  show(() => pressed++);
  await userEvent.click(screen.getByRole("button", { name: "More actions: Shop" }));
  expect(screen.getByRole("menuitem", { name: "Edit" }).getAttribute("href")).toBe("/monitors/edit/7");
  await userEvent.click(screen.getByRole("menuitem", { name: "Delete" }));
  expect([pressed, location.pathname]).toEqual([1, "/monitors"]);
});

test("the head of a sorted column tells its order, and a click chooses the column", async () => {
  const chosen: string[] = [];
  const sorting = { sort: "name", order: "desc", onSort: (sort: string) => void chosen.push(sort) } as const;
  render(
    <table>
      <thead>
        <tr>
          <SortHeader by="name" sorting={sorting}>
            Name
          </SortHeader>
          <SortHeader by="uptime" sorting={sorting}>
            Uptime
          </SortHeader>
          <SortHeader>Actions</SortHeader>
        </tr>
      </thead>
    </table>,
  );
  const orders = screen.getAllByRole("columnheader").map((head) => head.getAttribute("aria-sort"));
  expect(orders).toEqual(["descending", null, null]);
  await userEvent.click(screen.getByRole("button", { name: "Uptime" }));
  expect(chosen).toEqual(["uptime"]);
  expect(screen.queryByRole("button", { name: "Actions" })).toBeNull();
});
