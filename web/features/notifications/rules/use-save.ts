import { useSetAtom, useStore } from "jotai";
import { useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "../../../ui/feedback/toast";
import { useErrorText } from "../../../ui/hooks/use-error-text";
import { saveSetting } from "../calls";
import { draftsAtom, notificationsAtom } from "../notifications-state";
import { useTargetName } from "../use-target-name";
import { changedKeys, draftOf, withoutSaved } from "./drafts";
import { toSettingBody } from "./setting-body";

/** Saves every changed target with a call of its own. What failed stays an unsaved edit, and is named. */
export const useSave = () => {
  const { t } = useTranslation();
  const words = useErrorText();
  const nameOf = useTargetName();
  const store = useStore();
  const refresh = useSetAtom(notificationsAtom);
  const [failed, setFailed] = useState<string>();
  const [busy, start] = useTransition();

  const save = (done: string = t("notifications.save.done")) =>
    start(async () => {
      const settings = store.get(notificationsAtom).data?.settings;
      if (!settings) return;
      setFailed(undefined);
      const sent = store.get(draftsAtom);
      const keys = changedKeys(settings, sent);
      const results = await Promise.allSettled(
        keys.map((key) => saveSetting(toSettingBody(key, draftOf(settings, sent, key)))),
      );
      const saved = keys.filter((_, place) => results[place]?.status === "fulfilled");
      // Edits are dropped only once what was stored of them is on screen.
      const { error } = await refresh();
      if (!error) store.set(draftsAtom, withoutSaved(store.get(draftsAtom), sent, saved));
      const refused = results.find((result) => result.status === "rejected");
      if (!refused) return toast(done);
      const names = keys
        .filter((key) => !saved.includes(key))
        .map((key) => nameOf(key, sent[key]?.name ?? ""))
        .join(t("notifications.save.between"));
      setFailed(t("notifications.save.notSaved", { names }));
      const what = t(saved.length > 0 ? "notifications.save.someFailed" : "notifications.save.failed");
      toast(t("notifications.save.failure", { what, names, reason: words(refused.reason) }), { tone: "bad" });
    });

  return { save, busy, failed, forget: () => setFailed(undefined) };
};
