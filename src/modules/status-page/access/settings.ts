/** Who may read a page: how its team sets that, and its key. */
import { and, eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { notFound, validation } from "../../../core/errors";
import { hashSecret, randomSecret } from "../../../core/secrets";
import { madeBy, ownedBy, type Viewer } from "../../../db/owner";
import { statusPages } from "../../../db/schema";
import { boolean, oneOf } from "../../../server/answers";
import { PAGE_ACCESS } from "../../../shared/status/access";
import { recordChange } from "../../accounts/audit/record";
import { lockOwner } from "../../accounts/quotas/service";
import { hashPassword, inPasswordQueue } from "../../accounts/sign-in/password-queue";
import { invalidatePages } from "../cache";
import type { PageRow } from "../pages/find";

type Store = Pick<Deps, "db" | "clock" | "log">;

/** The fields of a request. */
type AccessBody = { access?: PageRow["access"]; password?: string; title_public?: boolean };

/** The fields of an answer. */
export const accessFields = {
  access: oneOf("Who may read it.", PAGE_ACCESS, "public"),
  has_password: boolean("Whether it has a password.", false),
  has_key: boolean("Whether there is a key for programs that read it while it is private.", false),
  title_public: boolean("Whether a private page shows its title to visitors without access.", false),
};

export const presentAccess = ({ access, passwordHash, accessKeyHash, titlePublic }: PageRow) => ({
  ...{ access, has_password: passwordHash !== null, has_key: accessKeyHash !== null, title_public: titlePublic },
});

/** The hash of the password in a request. Call it outside of transactions, because it takes a tenth of a second. */
export const hashSent = async (
  deps: Pick<Deps, "clock">,
  { id }: Pick<Viewer, "id">,
  { password }: AccessBody,
): Promise<string | undefined> =>
  password === undefined
    ? undefined
    : inPasswordQueue(deps, { priority: "known", share: `user ${id}` }, () => hashPassword(password));

/**
 * The columns that a request changes.
 * @throws {AppError} validation for a page without a password, or for a password that would not be used
 */
export const accessColumns = (
  before: Pick<PageRow, "access" | "passwordHash" | "accessVersion" | "accessKeyHash">,
  sent: AccessBody,
  newHash: string | undefined,
) => {
  const access = sent.access ?? before.access;
  if (newHash !== undefined && access !== "password")
    throw validation([{ path: "password", message: "password: expected none, because access is not password" }]);
  const passwordHash = access === "password" ? (newHash ?? before.passwordHash) : null;
  if (sent.access === "password" && passwordHash === null)
    throw validation([{ path: "password", message: "password: expected the password of the page" }]);
  const isChanged = access !== before.access || newHash !== undefined;
  return {
    ...{ access, passwordHash, accessVersion: before.accessVersion + (isChanged ? 1 : 0) },
    // A key of earlier times must not open the page when it becomes private again.
    accessKeyHash: access === "public" ? null : before.accessKeyHash,
    ...(sent.title_public !== undefined && { titlePublic: sent.title_public }),
  };
};

/** The columns of an imported page. With a password, which files do not have, it is closed until one is set. */
export const importedAccess = ({ access = "public", title_public = false }: AccessBody) => ({
  access,
  titlePublic: title_public,
});

/** Replaces the key of a page, by none with null. @throws {AppError} not_found */
const replaceKey = async (
  store: Store,
  caller: Viewer,
  pageId: number,
  accessKeyHash: string | null,
): Promise<void> => {
  await store.db.transact(async (tx) => {
    await lockOwner(tx, madeBy(caller));
    const [page] = await tx
      .select()
      .from(statusPages)
      .where(and(eq(statusPages.id, pageId), ownedBy(statusPages, caller.teamId)));
    if (!page) throw notFound("Status page");
    if (accessKeyHash !== null && page.access === "public")
      throw validation([{ path: "access", message: "access: a public page needs no key" }]);
    await tx.update(statusPages).set({ accessKeyHash }).where(eq(statusPages.id, pageId));
    const object = { type: "status_page", id: pageId, name: page.title } as const;
    const after = { ...page, accessKeyHash };
    await recordChange({ ...store, db: tx }, caller, {
      action: "changed",
      object,
      teamId: page.teamId,
      before: page,
      after,
    });
  });
  invalidatePages(store.db);
};

/** Makes a new key of a private page, which replaces the previous one. It is not stored. @throws {AppError} not_found, validation */
export const createKey = async (store: Store, caller: Viewer, pageId: number): Promise<string> => {
  const key = randomSecret("page");
  await replaceKey(store, caller, pageId, hashSecret(key));
  return key;
};

/** @throws {AppError} not_found */
export const revokeKey = (store: Store, caller: Viewer, pageId: number): Promise<void> =>
  replaceKey(store, caller, pageId, null);
