import type { ParseKeys, TFunction } from "i18next";
import { STORED_SCOPES } from "../../../src/shared/accounts/key-scopes";
import { MANY_ADDRESSES, type SecurityEventKind } from "../../../src/shared/security-events";
import { api, payload } from "../../api";

export type Entry = Awaited<ReturnType<typeof readSecurityLog>>["entries"][number];
type Filter = { kind?: SecurityEventKind; before?: number };

export const readSecurityLog = (query: Filter) => payload(api["security-log"].get({ query }));

/** Entries that follow each other and differ in their times only, newest first, as one group each. */
export const foldEntries = (entries: readonly Entry[]): Entry[][] => {
  const groups: Entry[][] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    const isEqual = (["kind", "username", "address", "detail"] as const).every(
      (key) => last?.[0]?.[key] === entry[key],
    );
    if (last && isEqual) last.push(entry);
    else groups.push([entry]);
  }
  return groups;
};

type Shown = Pick<Entry, "kind" | "detail">;

const roles = { admin: "users.role.admin", user: "users.role.user" } as const;
const scopes = Object.fromEntries(STORED_SCOPES.map((scope) => [scope, `profile.keys.scope.${scope}` as const]));
const memberRoles = {
  viewer: "security.memberRole.viewer",
  editor: "security.memberRole.editor",
  owner: "security.memberRole.owner",
} as const;
const factors: Record<string, ParseKeys> = {
  passkey: "security.factor.passkey",
  totp: "security.factor.totp",
  recovery: "security.factor.recovery",
};
/** The texts of the words in details, by the kind of the entry. */
const words: Partial<Record<SecurityEventKind, Record<string, ParseKeys>>> = {
  user_created: roles,
  role_changed: roles,
  key_created: scopes,
  member_invited: memberRoles,
  invitation_accepted: memberRoles,
  member_changed: memberRoles,
};

/** The detail of an entry in the language of the interface; a detail in another format is shown unchanged. */
export const detailOf = ({ kind, detail }: Shown, t: TFunction): string => {
  if (kind === "sign_in_refused" || kind === "sessions_ended")
    return t("security.times", { count: Number(detail) || 1 });
  if (kind === "registration_switched" && (detail === "open" || detail === "closed"))
    return t(`security.registration.${detail}`);
  const factor = factors[detail];
  if ((kind === "signed_in" || kind === "second_factor_failed") && factor) return t(factor);
  if (kind === "enrollment_token_deleted") return `#${detail}`;
  const texts = new Map(Object.entries(words[kind] ?? {}));
  const [, name = "", what = ""] = /^(.+) \(([\w ]+)\)$/.exec(detail) ?? [];
  const named = what.split(" ").map((one) => texts.get(one));
  if (named.every((word) => word !== undefined))
    return t("security.named", { name, what: named.map((word) => t(word)).join(" · ") });
  const [, user = "", ...change] = /^(.+): (\w+) → (\w+)$/.exec(detail) ?? [];
  const [before, after] = change.map((one) => texts.get(one));
  return before && after ? t("security.roleChange", { name: user, before: t(before), after: t(after) }) : detail;
};

/** The caller's address, or the text for an entry that counts refusals of many addresses. */
export const addressOf = ({ address }: Pick<Entry, "address">, t: TFunction): string =>
  address === MANY_ADDRESSES ? t("security.manyAddresses") : address;
