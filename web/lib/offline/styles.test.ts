import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { loadStyles } from "./styles";

test("a stylesheet is added once, and again where it could not be loaded", async () => {
  const links = () => [...document.head.querySelectorAll("link[href='/screen.css']")];
  await Promise.all([loadStyles("/screen.css"), loadStyles("/screen.css")]);
  const [link] = links();
  expect(links().length).toBe(1);
  link?.dispatchEvent(new Event("error"));
  expect(links().length).toBe(0);
  await loadStyles("/screen.css");
  expect(links().length).toBe(1);
});
