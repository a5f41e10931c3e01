/** The visitors of calls about a page. */
import type { Deps } from "../../../core/deps";
import { notFound } from "../../../core/errors";
import { publishedPage } from "../publish";
import { admit, type Pass } from "./gate";

/** The answer of a call with an ETag. */
export const UNCHANGED = { status: 304, description: "Unchanged since the ETag in If-None-Match." };

type Query = { page?: string; key?: string };

/** Admits the visitor of a request to a page. @throws {AppError} not_found, page_password_required, page_members_only */
export const visit = async (deps: Deps, { page, key }: Query, { headers }: Request): Promise<Pass> => {
  const pass = await admit(deps, page, { key, cookies: headers.get("cookie") });
  if (!pass) throw notFound("Status page");
  return pass;
};

/** The page that a request may see. @throws {AppError} not_found, page_password_required, page_members_only */
export const findPage = async (deps: Deps, query: Query, request: Request) => {
  const pass = await visit(deps, query, request);
  const page = await publishedPage(deps, pass);
  if (!page) throw notFound("Status page");
  return { pass, page };
};

/** The errors of calls about a page. */
export const PAGE_REFUSALS = ["page_password_required", "page_members_only", "not_found", "unavailable"] as const;
