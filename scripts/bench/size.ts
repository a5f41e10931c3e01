import { statSync } from "node:fs";
import { EXECUTABLE, round, withHub } from "./lib/server";

/** Bytes over the wire of a file and everything it references, with brotli. */
const transfer = async (origin: string, path: string, seen: Set<string>): Promise<number> => {
  if (seen.has(path)) return 0;
  seen.add(path);
  const response = await fetch(`${origin}${path}`, {
    headers: { "accept-encoding": "br" },
    decompress: false,
  } as RequestInit);
  const bytes = (await response.arrayBuffer()).byteLength;
  const text = await (await fetch(`${origin}${path}`)).text();
  let total = bytes;
  const named =
    path === "/"
      ? text.matchAll(/(?:src|href)="\.?\/?([\w./-]+\.(?:js|css|svg))"/g)
      : text.matchAll(/(?:^|[;\s}])import[^"'()]*["']\.\/([\w./-]+\.js)["']/g);
  for (const [, name] of named) total += await transfer(origin, `/${name}`, seen);
  return total;
};

/** Size of the executable and of the page's first load: document, styles and initial scripts. */
export const bench = (): Promise<object> =>
  withHub(
    () => {},
    async ({ url }) => {
      const seen = new Set<string>();
      const total = await transfer(url, "/", seen);
      return {
        first_load_kb: round(total / 1024),
        files: seen.size,
        executable_mb: round(statSync(EXECUTABLE).size / 1024 / 1024),
      };
    },
  );
