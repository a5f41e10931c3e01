import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Machine } from "../agent/figures/figure";
import { filesBelow } from "../agent/platform/proc";
import { temporaryFolder } from "./agent-program";

/** Makes a folder of these files; a text that starts with -> is a link. */
export const makeTree = (files: Record<string, string>): string => {
  const root = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (text.startsWith("->")) symlinkSync(text.slice(2), join(root, path));
    else writeFileSync(join(root, path), text);
  }
  return root;
};

/** A machine of these files, without programs, at monotonic time 0. `said` holds what was logged. */
export const createMachine = (
  tree: Record<string, string> = {},
  more: Partial<Machine> = {},
): Machine & { said: string[] } => {
  const said: string[] = [];
  return {
    files: filesBelow(makeTree(tree)),
    host: "",
    output: async () => "",
    has: () => false,
    monotonic: () => 0,
    engines: [],
    log: (text) => said.push(text),
    said,
    ...more,
  };
};
