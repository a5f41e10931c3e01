import { expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { pruneIcons } from "./prune-icons";

const FILE = "web/ui/controls/icon.tsx";
const namesIn = (text: string) => [...text.matchAll(/^ {2}(\w+):\s+"/gm)].map(([, name]) => name);

it("the status page has the icons of its states and menus, and not those of the console's lists", () => {
  const all = readFileSync(FILE, "utf8");
  const pruned = pruneIcons(all, "web/pages/status/main.tsx");
  const names = namesIn(pruned);
  for (const name of ["up", "down", "gauge", "alert", "unknown", "pending", "paused", "caret", "globe", "sun", "moon"])
    expect([name, names.includes(name)]).toEqual([name, true]);
  for (const name of ["trash", "columns", "upload", "eyeOff"]) {
    expect([name, namesIn(all).includes(name)]).toEqual([name, true]);
    expect([name, names.includes(name)]).toEqual([name, false]);
  }
  // Nothing else of the file changes.
  expect(pruned.slice(pruned.indexOf("} as const"))).toBe(all.slice(all.indexOf("} as const")));
});
