import { useAtom, useSetAtom, useStore } from "jotai";
import { useEffect, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/controls/icon";
import { toast } from "../../../ui/feedback/toast";
import { useErrorText } from "../../../ui/hooks/use-error-text";
import { notificationsAtom, saveSetting } from "../api";
import { useTargetName } from "../labels";
import { changedKeys, draftOf, draftsAtom, invalidKeys, type Settings, toSettingBody, withoutSaved } from "./drafts";

/** Saves each changed target with a separate call. A target whose call failed stays unsaved and is named. */
export const useSave = () => {
  const { t } = useTranslation();
  const errorText = useErrorText();
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
      const saved = keys.filter((_, index) => results[index]?.status === "fulfilled");
      // The saved edits are removed only after the stored settings are on screen.
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
      toast(t("notifications.save.failure", { what, names, reason: errorText(refused.reason) }), { tone: "bad" });
    });

  return { save, busy, failed, clearFailure: () => setFailed(undefined) };
};

/** Shown on every tab while an edit is unsaved. */
export function SaveBar({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const [drafts, setDrafts] = useAtom(draftsAtom);
  const nameOf = useTargetName();
  const { save, busy, failed, clearFailure } = useSave();
  const changed = changedKeys(settings, drafts);
  const invalid = invalidKeys(settings, drafts).map((key) => nameOf(key, drafts[key]?.name ?? ""));
  const dirty = changed.length > 0;

  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [dirty]);

  if (!dirty) return null;
  const names = invalid.join(t("notifications.save.between"));
  const wrong = invalid.length > 0 ? t("notifications.save.invalid", { names }) : failed;
  const discard = () => {
    clearFailure();
    setDrafts({});
  };
  return (
    <section className="save-bar" aria-label={t("common.action.save")}>
      <span role="status" className={wrong ? "wrong" : undefined}>
        {wrong && <Icon name="alert" />}
        {wrong ?? t("notifications.save.pending", { count: changed.length })}
      </span>
      <div className="actions">
        <button type="button" className="quiet" disabled={busy} onClick={discard}>
          {t("notifications.save.discard")}
        </button>
        <button type="button" disabled={busy || invalid.length > 0} aria-busy={busy} onClick={() => save()}>
          {t(busy ? "common.action.saving" : "common.action.save")}
        </button>
      </div>
    </section>
  );
}
