import type { Deps } from "../../../core/deps";
import { slugOfDomain } from "../domains/domains";
import { publishedPage } from "../publish";
import { statuspageDocument } from "../statuspage/statuspage";
import { enterByPassword } from "./enter";
import { admit, type Gated, type Pass, readGated, type Visitor } from "./gate";

/** The status pages for the listener. Everything of a page takes a pass. */
export const createPages = (deps: Deps) => ({
  /** @throws {AccessRefused} */
  admit: (slug: string | undefined, visitor: Visitor) => admit(deps, slug, visitor),
  /** The slug of the page that has a domain; null for other names. */
  slugOfDomain: (domain: string) => slugOfDomain(deps, domain),
  gated: (slug: string | undefined) => readGated(deps, slug),
  /** @throws {AppError} rate_limited */
  enter: (page: Gated, attempt: Parameters<typeof enterByPassword>[2]) => enterByPassword(deps, page, attempt),
  published: (pass: Pass) => publishedPage(deps, pass),
  statuspage: (pass: Pass, document: string) => statuspageDocument(deps, pass, document),
});

export type Pages = ReturnType<typeof createPages>;
