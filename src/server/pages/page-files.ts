/** The files of status pages, without the files of the console. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** Icons that browsers, phones and chats ask for by fixed names. Programs take the format from the content, not from the name. */
export const ICON_FILES: Record<string, string> = {
  "/favicon.ico": "/icon-192.png",
  "/apple-touch-icon.png": "/icon-180.png",
  "/apple-touch-icon-precomposed.png": "/icon-180.png",
};

/** Files that the hub names in documents. */
const NAMED = /^(theme\.js|page-access\.css|icon-1(80|92)\.png|status_\w+\.png)$/;

/** The paths of the files of status pages in the built page: what their document names, and what these files name in turn. */
export const readPageFiles = (directory: string): ReadonlySet<string> => {
  const folder = join(directory, "gzip");
  const names = new Set(readdirSync(folder));
  const found = new Set([...names].filter((name) => NAMED.test(name)));
  const document = join(directory, "status.html");
  const texts = existsSync(document) ? [readFileSync(document, "utf8")] : [];
  for (const text of texts)
    for (const [name] of text.matchAll(/[\w-]+\.(?:js|css|svg|png)\b/g)) {
      if (!names.has(name) || found.has(name)) continue;
      found.add(name);
      // The loop goes on with it.
      texts.push(gunzipSync(readFileSync(join(folder, name))).toString("latin1"));
    }
  return new Set([...found].map((name) => `/${name}`));
};
