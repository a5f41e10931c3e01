import type { BunPlugin } from "bun";
import { sourcesOf } from "./prune-css";

/** The file of the icons without those whose name is in no text of a page that starts with `file`. */
export const pruneIcons = (icons: string, file: string): string => {
  const sources = [...sourcesOf(file)].filter(([path]) => !path.endsWith("/icon.tsx")).map(([, text]) => text);
  const used = new Set(sources.join("\n").match(/(?<=")\w+(?=")/g));
  return icons.replace(/^ {2}(\w+):\s+"[^"]*",\n/gm, (entry, name) => (used.has(name) ? entry : ""));
};

/** Leaves out the icons that a page does not use. */
export const prunedIcons = (file: string): BunPlugin => ({
  name: "pruned icons",
  setup: (build) => {
    build.onLoad({ filter: /\/ui\/controls\/icon\.tsx$/ }, async ({ path }) => ({
      contents: pruneIcons(await Bun.file(path).text(), file),
      loader: "tsx",
    }));
  },
});
