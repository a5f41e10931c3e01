import type { NotificationRule } from "../../../../src/shared/setting";
import { isValid, type Settings, settingOf, type TargetKey } from "./setting";

/** Edits that are not saved yet: for each target only the fields that were touched, and what the target is called. */
export type Drafts = { readonly [K in TargetKey]?: { name: string; change: Partial<NotificationRule> } };

const same = (one: unknown, other: unknown) =>
  Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((item) => other.includes(item))
    : Object.is(one, other);

/** What is stored of a target with the edits laid over it, so that a refresh shows through where nothing was touched. */
export const draftOf = (settings: Settings, drafts: Drafts, key: TargetKey): NotificationRule => ({
  ...settingOf(settings, key),
  ...drafts[key]?.change,
});

export const edit = (drafts: Drafts, key: TargetKey, name: string, change: Partial<NotificationRule>): Drafts => ({
  ...drafts,
  [key]: { name, change: { ...drafts[key]?.change, ...change } },
});

/** The targets that differ from what is stored. */
export const changedKeys = (settings: Settings, drafts: Drafts): TargetKey[] =>
  (Object.keys(drafts) as TargetKey[]).filter((key) => {
    const stored = settingOf(settings, key);
    const change = Object.entries(drafts[key]?.change ?? {});
    return change.some(([field, value]) => !same(value, stored[field as keyof NotificationRule]));
  });

export const invalidKeys = (settings: Settings, drafts: Drafts): TargetKey[] =>
  changedKeys(settings, drafts).filter((key) => !isValid(key, draftOf(settings, drafts, key)));

/** Without what was saved, unless it was edited again meanwhile. */
export const withoutSaved = (drafts: Drafts, sent: Drafts, saved: readonly TargetKey[]): Drafts =>
  Object.fromEntries(
    (Object.keys(drafts) as TargetKey[])
      .filter((key) => !saved.includes(key) || drafts[key] !== sent[key])
      .map((key) => [key, drafts[key]]),
  );
