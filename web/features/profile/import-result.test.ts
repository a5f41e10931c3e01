import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { nameOf, parseFile } from "./import-result";

const format = "wakeful-configuration";

test("parseFile refuses texts that are not an export", () => {
  for (const text of ["", "{", "null", "[]", '"text"', '{"monitors":[]}'])
    expect(parseFile(text)).toBe("not_configuration");
  expect(parseFile(JSON.stringify({ format, version: 1 }))).toEqual({ format, version: 1 });
});

test("nameOf returns the name in the file for the path of a note", () => {
  const channel = { name: "On-call", type: "telegram" as const, config: {} };
  const file = {
    format,
    version: 1,
    channels: [channel],
    agents: [{ id: 1, name: "web-1", hostname: "web" }],
  } as const;
  const document = { ...file, channels: [...file.channels], agents: [...file.agents] };
  expect(nameOf({ path: "channels.0" }, document)).toBe("On-call");
  expect(nameOf({ path: "agents.0" }, document)).toBe("web-1");
  expect(nameOf({ path: "agents.7" }, document)).toBe("agents.7");
  expect(nameOf({ path: "status_page" }, document)).toBe("status_page");
});
