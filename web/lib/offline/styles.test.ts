import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { loadStyles } from "./styles";

test("a stylesheet is added once, and again where it could not be loaded", async () => {
  const links = () => [...document.head.querySelectorAll("link[rel=stylesheet]")];
  await Promise.all([loadStyles("/screen.css"), loadStyles("/screen.css")]);
  const [link] = links();
  expect(links()).toEqual([link as Element]);
  link?.dispatchEvent(new Event("error"));
  expect(links()).toEqual([]);
  await loadStyles("/screen.css");
  expect(links().length).toBe(1);
});
