import "../../testing/test-dom";
import { expect, test } from "bun:test";
import { startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { render, screen, userEvent } from "../../testing/test-page";
import { TagsField } from "./tags-field";

setUpPage({ path: "/monitors/create" });

const setUp = async (error?: string) => {
  await startHubAs("bob");
  const { container } = render(<TagsField error={error} />);
  const values = () => JSON.parse(container.querySelector<HTMLInputElement>("[name=tags]")?.value ?? "");
  return { input: screen.getByLabelText<HTMLInputElement>("Tags"), values };
};

test("a value follows a colon, also a full-width one as Chinese keyboards type it", async () => {
  const { input, values } = await setUp();
  await userEvent.type(input, "region:eu{Enter}地区：华东{Enter}");
  expect(values()).toEqual([
    { name: "region", value: "eu" },
    { name: "地区", value: "华东" },
  ]);
});

test("the field has the focus after a tag was removed, and its error belongs to it", async () => {
  const { input, values } = await setUp("Too many");
  await userEvent.type(input, "a{Enter}");
  await userEvent.click(screen.getByRole("button", { name: "Remove the tag a" }));
  expect(values()).toEqual([]);
  expect(document.activeElement).toBe(input);
  const described = input.getAttribute("aria-describedby")?.split(" ") ?? [];
  expect(described.map((id) => document.getElementById(id)?.textContent)).toContain("Too many");
});
