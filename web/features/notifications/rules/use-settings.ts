import { useAtom, useAtomValue, useStore } from "jotai";
import type { NotificationRule } from "../../../../src/shared/setting";
import type { Channel } from "../normalise";
import { draftsAtom } from "../notifications-state";
import { draftOf, edit } from "./drafts";
import type { Settings, TargetKey } from "./setting";

export type Editing = {
  setting: NotificationRule;
  channels: readonly Channel[];
  onChange: (change: Partial<NotificationRule>) => void;
};

/** Reading and editing the settings of any target, with unsaved edits laid over what is stored. */
export const useDrafts = (settings: Settings) => {
  const drafts = useAtomValue(draftsAtom);
  const store = useStore();
  return {
    of: (key: TargetKey) => draftOf(settings, drafts, key),
    change: (key: TargetKey, name: string, change: Partial<NotificationRule>) =>
      store.set(draftsAtom, edit(store.get(draftsAtom), key, name, change)),
  };
};

export const useAllDrafts = () => useAtom(draftsAtom);
