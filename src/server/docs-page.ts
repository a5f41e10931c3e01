import type { Config } from "../core/config";
import { createCachedResponse } from "./cached-response";
import { contentSecurityPolicy } from "./security-headers";
import { readDocument } from "./static-files";

/** Serves the page on which the API is described, which lies in `directory`: a page of its own, like the status page. */
export const createDocsDocument = (directory: string, config: Config) =>
  createCachedResponse(readDocument(directory, "docs.html", config), {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": contentSecurityPolicy(),
  });
