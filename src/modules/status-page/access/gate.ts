/**
 * The gate of status pages. Everything that is answered for a page needs a `Pass`, which only `admit` makes: for public
 * pages, or for visitors who have given the password of the page, are members of its team, or send its key.
 */
import { timingSafeEqual } from "node:crypto";
import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import { hashSecret } from "../../../core/secrets";
import { can } from "../../../db/owner";
import type { Language } from "../../../shared/language";
import { findBySession } from "../../accounts/sessions/service";
import { issueTicket, isValidTicket, subjectOf } from "../../accounts/tickets";
import { cachePage } from "../cache";
import { canonicalSlug } from "../model";
import { hubAddress } from "../pages/address";
import { findPublished, languageOf, type StatusPage } from "../pages/find";

type Store = Pick<Deps, "db" | "clock" | "config" | "jwtSecret">;

/** What of a page decides who may see it, and what the form for visitors without access shows. */
export type Gated = Pick<
  StatusPage,
  "id" | "key" | "slug" | "teamId" | "theme" | "access" | "accessVersion" | "passwordHash" | "accessKeyHash"
> & {
  /** Empty unless it is public. */
  title: string;
  language: Language;
  /** The address of the hub without a slash at the end; empty where none is known. */
  hub: string;
};

/** The key in the query of a request, and its cookies. */
export type Visitor = { key?: string | undefined; cookies?: string | null };

declare const admitted: unique symbol;
/** The proof that a visitor may see a page. */
export type Pass = {
  /** The canonical slug in the address; undefined for the first administrator's page. */
  readonly slug: string | undefined;
  readonly isPublic: boolean;
  readonly [admitted]: true;
};

/** A visitor may not see a page. */
export class AccessRefused extends AppError<"page_password_required" | "page_members_only"> {
  constructor(readonly page: Gated) {
    super(page.access === "members" ? "page_members_only" : "page_password_required");
  }
}

/** Memory of a cached entry. */
const BYTES = 1024;

/** What decides who may see the page of a slug; null if there is no such page. Kept as long as the page's answers. */
export const readGated = async (store: Store, slug: string | undefined): Promise<Gated | null> => {
  const canonical = slug === undefined ? "" : canonicalSlug(slug);
  if (canonical === null) return null;
  // No slug has a space.
  return cachePage(
    store,
    `gate ${canonical}`,
    async () => {
      const page = await findPublished(store, canonical || undefined);
      if (!page) return null;
      const { id, key, teamId, theme, access, accessVersion, passwordHash, accessKeyHash, titlePublic } = page;
      return {
        ...{ id, key, teamId, theme, access, accessVersion, passwordHash, accessKeyHash, slug: page.slug },
        title: titlePublic || access === "public" ? page.title : "",
        language: await languageOf(store, page),
        hub: await hubAddress(store),
      };
    },
    () => BYTES,
  );
};

/** The name of the cookie of a page. The path of the page at /status covers all other pages, so each page has a name of its own. */
export const cookieName = ({ key }: Pick<Gated, "key">): string => `status_${key}`;

/** The values of a cookie. A client can send several, of other paths. */
const cookiesNamed = (header: string, name: string): string[] =>
  header.split(/; */).flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []));

const boundOf = ({ key, access, accessVersion }: Gated) => [key, access, accessVersion];

/** The value of the cookie of a visitor with the password, or of a member in a session. */
export const issueProof = (store: Store, page: Gated, sessionId: string | null, lasts: number): string =>
  issueTicket(store, "status page", { subject: sessionId ?? "password", bound: boundOf(page), lasts });

/** Whether the session of a member is open, and its user still a member of the page's team. */
const isMember = async (store: Store, { teamId }: Gated, sessionId: string): Promise<boolean> => {
  const made = await cachePage(
    store,
    `member ${teamId} ${sessionId}`,
    async () => {
      const user = await findBySession(store, sessionId);
      return { isMember: user !== undefined && can(user, "read", { teamId }) };
    },
    () => BYTES,
  );
  return made?.isMember ?? false;
};

const isProved = async (store: Store, page: Gated, ticket: string): Promise<boolean> => {
  if (!isValidTicket(store, "status page", ticket, boundOf(page))) return false;
  return page.access === "password" || isMember(store, page, subjectOf(ticket) ?? "");
};

/** Whether a text is the key of a page. */
const isKeyOf = ({ accessKeyHash }: Pick<Gated, "accessKeyHash">, key: string | undefined): boolean => {
  if (!accessKeyHash || !key) return false;
  const [expected, sent] = [Buffer.from(accessKeyHash), Buffer.from(hashSecret(key))];
  return expected.length === sent.length && timingSafeEqual(expected, sent);
};

/**
 * Admits a visitor to the page of a slug; null if there is no such page. Nothing else of the page is read before.
 * @throws {AccessRefused}
 */
export const admit = async (
  store: Store,
  slug: string | undefined,
  { key, cookies }: Visitor,
): Promise<Pass | null> => {
  const page = await readGated(store, slug);
  if (!page) return null;
  const pass = { slug: slug && (canonicalSlug(slug) ?? undefined), isPublic: page.access === "public" } as Pass;
  if (pass.isPublic || isKeyOf(page, key)) return pass;
  for (const ticket of cookiesNamed(cookies ?? "", cookieName(page)).slice(0, 4))
    if (await isProved(store, page, ticket)) return pass;
  throw new AccessRefused(page);
};

/** Marks an answer about a private page: other visitors must not get it from a cache, and its address, which may have a key, goes nowhere. */
export const marked = ({ isPublic }: Pass, response: Response): Response => {
  if (isPublic) return response;
  response.headers.set("cache-control", "private, no-cache");
  response.headers.set("referrer-policy", "no-referrer");
  response.headers.delete("x-robots-tag");
  return response;
};
