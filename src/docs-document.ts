import type { Config } from "./config";
import { createAnswer } from "./modules/status-page/answer";
import { readDocument } from "./page";
import { contentSecurityPolicy } from "./security-headers";

/** Serves the page on which the API is described, which lies in `directory`: a page of its own, like the status page. */
export const createDocsDocument = (directory: string, config: Config) =>
  createAnswer(readDocument(directory, "docs.html", config), {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": contentSecurityPolicy(),
  });
