import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { LIMITS } from "../../../../src/shared/limits";
import { parseLines } from "./paste-page";

test("a line is a name and an address, or an address that names itself", () => {
  const pasted = "Shop https://shop.example/\n\n# a comment\napi.example.com/health\nThe blog, blog.example\n10.0.0.1";
  expect(parseLines(pasted)).toEqual([
    { place: 1, name: "Shop", url: "https://shop.example/" },
    { place: 4, name: "api.example.com", url: "https://api.example.com/health" },
    { place: 5, name: "The blog", url: "https://blog.example" },
    { place: 6, name: "10.0.0.1", url: "http://10.0.0.1" },
  ]);
});

test("an address of another kind than a website has the fields of that kind", () => {
  expect(parseLines("Cache redis://10.0.0.1\nping://router.lan\nredis://10.0.0.1/0\nsmtp:mail.example")).toMatchObject([
    { name: "Cache", url: "redis://10.0.0.1", fields: { kind: "tcp", config: { port: 6379, preset: "redis" } } },
    { name: "ping://router.lan", fields: { kind: "ping", config: { host: "router.lan" } } },
    { name: "redis://10.0.0.1" },
    { wrong: "address" },
  ]);
});

test("a line that is no address, stands there twice, or is one too many says so", () => {
  const { length } = parseLines("Shop shop@example.com\na.example\na.example").filter(({ wrong }) => wrong);
  expect(length).toBe(2);
  const many = parseLines(Array.from({ length: 501 }, (_, index) => `a${index}.example`).join("\n"));
  expect(many.map(({ wrong }) => wrong).filter(Boolean)).toEqual(["tooMany"]);
});

test("a name that is too long ends with a whole character, which the API demands", () => {
  const [line] = parseLines(`a${"🚀".repeat(LIMITS.monitorName)} a.example`);
  expect(line?.name).toBe(`a${"🚀".repeat((LIMITS.monitorName - 2) / 2)}`);
});
