import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../core/config";
import { createCachedResponse } from "./http-encoding";
import { contentSecurityPolicy } from "./security-headers";

/** A JSON text that can stand inside a script element. */
export const embeddable = (value: unknown) =>
  JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e");

/**
 * A document of the built page in `directory`, with BASE_PATH as its base address and the settings that the page reads.
 * @throws {Error} when the page has not been built
 */
export const readDocument = (directory: string, name: string, config: Config): string => {
  const file = join(directory, name);
  if (!existsSync(file)) throw new Error("The page is missing: run `bun run build` first.");
  const { links, registration, publicUrl, apiTimeout } = config;
  const settings = embeddable({ links, registration, publicUrl, apiTimeout });
  return readFileSync(file, "utf8")
    .replace(/<base href="[^"]*"\s*\/?>/, () => `<base href="${config.basePath}">`)
    .replace(/(<script[^>]*id="settings"[^>]*>)[\s\S]*?(<\/script>)/, (_, open, close) => open + settings + close);
};

/** Serves a document that is the same for every viewer: the console's, or that of the page about the API. */
export const createDocument = (directory: string, name: "index.html" | "docs.html", config: Config) =>
  createCachedResponse(readDocument(directory, name, config), {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": contentSecurityPolicy(),
  });
