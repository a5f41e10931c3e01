import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { setUpPage } from "../../testing/set-up";
import { render, screen } from "../../testing/test-page";
import { LinkedText } from "./linked-text";

setUpPage({ path: "/outages/1" });

const linksIn = (text: string) => {
  const { container } = render(<LinkedText text={text} />);
  expect(container.textContent).toBe(text);
  return screen.queryAllByRole("link").map((link) => link.getAttribute("href"));
};

test.each([
  ["Ticket: https://tickets.example/OPS-4711", ["https://tickets.example/OPS-4711"]],
  ["See http://a.example/x, then (https://b.example/y).", ["http://a.example/x", "https://b.example/y"]],
  ["https://wiki.example/Search_(index)", ["https://wiki.example/Search_(index)"]],
  ["工单：https://tickets.example/7。已处理", ["https://tickets.example/7"]],
  ["https://a.example/?q=1&r=2#top\nnext", ["https://a.example/?q=1&r=2#top"]],
])("addresses in %p are links without the signs around them", (text, expected) => {
  expect(linksIn(text)).toEqual(expected);
  for (const link of screen.queryAllByRole("link")) expect(link.getAttribute("rel")).toBe("noopener noreferrer");
});

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt://https//%0aalert(1)",
  "data:text/html,<script>alert(1)</script>",
  "ftp://files.example/",
  "//evil.example/",
  "https://",
  "http://user:secret@evil.example/",
  "https://bank.example@evil.example/",
  "<img src=x onerror=alert(1)>",
])("%p is no link and no markup", (text) => {
  expect(linksIn(text)).toEqual([]);
  expect(document.querySelector("img, script")).toBeNull();
});

test("markup after an address is text beside the link", () => {
  expect(linksIn('https://a.example/"onmouseover="alert(1) <b>')).toEqual(["https://a.example/"]);
  expect(screen.getByRole("link").getAttributeNames().sort()).toEqual(["href", "rel", "target"]);
});

test("a long text of dots after an address is read in time", () => {
  const begun = performance.now();
  expect(linksIn(`https://a.example/${".".repeat(4000)}`)).toEqual(["https://a.example/"]);
  expect(performance.now() - begun).toBeLessThan(2000);
});
