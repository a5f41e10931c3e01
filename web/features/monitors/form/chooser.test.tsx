import "../../../testing/test-dom";

import { afterAll, beforeAll, expect, test } from "bun:test";
import { text } from "../../../lib/form";
import { startHubAs } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { cleanup, render, screen, userEvent } from "../../../testing/test-page";
import CreatePage from "./create-page";
import type { KindView } from "./kinds/kind";
import { KINDS } from "./kinds/registry";

setUpPage({ path: "/monitors/create" });

const preset = (name: string) => ({ name, label: () => name || "plain" });

/** A kind with two tiles and presets. */
const oven: KindView = {
  kind: "oven",
  label: () => "Oven",
  question: () => "An oven",
  hint: () => "Checks the temperature.",
  presets: [preset(""), preset("gas")],
  tiles: { grill: { question: () => "A grill", hint: () => "Checks the coal.", presets: [preset("coal")] } },
  Target: ({ preset }) => <input name="heat" aria-label={`Heat of ${preset || "any"}`} />,
  nameOf: (form) => text(form, "heat"),
  toConfig: () => ({ kind: "oven", config: {} }),
  facts: () => ({ target: [] }),
};

beforeAll(() => void KINDS.push(oven));
afterAll(() => void KINDS.pop());

const chosen = () => screen.getAllByRole<HTMLInputElement>("radio").find(({ checked }) => checked)?.value;
const open = async (search = "") => {
  await startHubAs("bob");
  history.replaceState(null, "", `/monitors/create${search}`);
  render(<CreatePage />);
};

test("the form of an HTTP monitor is there at once, with the focus in its address", async () => {
  await open();
  expect(chosen()).toBe("http");
  expect(document.activeElement).toBe(screen.getByLabelText("URL *"));
});

test("each choice is a radio button that is named by its question and described by its hint", async () => {
  await open();
  const group = screen.getByRole("group", { name: "What do you want to watch?" });
  const names = screen.getAllByRole("radio").map((radio) => group.contains(radio) && radio.getAttribute("value"));
  expect(names).toEqual(expect.arrayContaining(["http", "tcp", "oven", "grill"]));
  const grill = screen.getByRole("radio", { name: "A grill" });
  expect(document.getElementById(grill.getAttribute("aria-describedby") ?? "")?.textContent).toBe("Checks the coal.");
});

test("an address names a kind and a preset, and an unknown one is that of HTTP", async () => {
  for (const [search, value, label] of [
    ["?kind=oven", "oven", "Heat of any"],
    ["?kind=oven&preset=gas", "oven", "Heat of gas"],
    ["?kind=oven&preset=coal", "grill", "Heat of coal"],
    ["?kind=oven&preset=wood", "oven", "Heat of any"],
    ["?kind=sundial", "http", "URL *"],
  ] as const) {
    await open(search);
    expect([search, chosen()]).toEqual([search, value]);
    expect(screen.getByLabelText(label)).toBeTruthy();
    await cleanup();
  }
});

test("a choice by the mouse focuses the first field, and is kept in the address of the page", async () => {
  await open();
  await userEvent.click(screen.getByRole("radio", { name: "A grill" }));
  expect(location.search).toBe("?kind=oven&preset=coal");
  expect(document.activeElement).toBe(screen.getByLabelText("Heat of coal"));
});

test("a preset changes the fields without losing what was typed", async () => {
  await open("?kind=oven");
  await userEvent.type(screen.getByLabelText("Heat of any"), "200");
  await userEvent.type(screen.getByLabelText("Name *"), "Kitchen");
  await userEvent.click(screen.getByRole("button", { name: "gas" }));
  expect(location.search).toBe("?kind=oven&preset=gas");
  expect(screen.getByLabelText<HTMLInputElement>("Heat of gas").value).toBe("200");
  await userEvent.click(screen.getByRole("radio", { name: "A website or API" }));
  expect(screen.getByLabelText<HTMLInputElement>("Name *").value).toBe("Kitchen");
});
