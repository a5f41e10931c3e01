import { useAtom, useSetAtom, useStore } from "jotai";
import { useEffect, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { CallError } from "../../../api";
import { Icon } from "../../../ui/controls/icon";
import { toast } from "../../../ui/feedback/toast";
import { useErrorText } from "../../../ui/hooks/use-error-text";
import { type Notifications, notificationsAtom, saveSetting } from "../api";
import { useTargetName } from "../labels";
import {
  changedKeys,
  type Drafts,
  draftOf,
  draftsAtom,
  type GlobalKey,
  invalidKeys,
  type Settings,
  type TargetKey,
  toSettingBody,
  withoutSaved,
} from "./drafts";

const isConflict = (error: unknown): boolean => error instanceof CallError && error.code === "rule_changed";

/** The version of a rule that the drafts were made from; single targets have it on their own pages. */
const versionOf = (key: TargetKey, { monitors, agents }: Notifications["defaults"]) =>
  ({ "global-monitor": monitors.version, "global-agent": agents.version })[key as GlobalKey];

/**
 * Saves each changed target with a separate call. A target whose call failed stays unsaved and is named. After a
 * conflict the stored values are shown, and `mine` has the refused edits.
 */
export const useSave = () => {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const nameOf = useTargetName();
  const store = useStore();
  const refresh = useSetAtom(notificationsAtom);
  const [failed, setFailed] = useState<string>();
  const [mine, setMine] = useState<Drafts>({});
  const [busy, start] = useTransition();

  const save = (done: string = t("notifications.save.done")) =>
    start(async () => {
      const data = store.get(notificationsAtom).data;
      if (!data) return;
      const { settings, defaults } = data;
      setFailed(undefined);
      setMine({});
      const sent = store.get(draftsAtom);
      const keys = changedKeys(settings, sent);
      const results = await Promise.allSettled(
        keys.map((key) =>
          saveSetting({ ...toSettingBody(key, draftOf(settings, sent, key)), version: versionOf(key, defaults) }),
        ),
      );
      const saved = keys.filter((_, index) => results[index]?.status === "fulfilled");
      const outdated = keys.filter((_, index) => {
        const result = results[index];
        return result?.status === "rejected" && isConflict(result.reason);
      });
      // The saved edits are removed only after the stored settings are on screen.
      const { error } = await refresh();
      if (!error) store.set(draftsAtom, withoutSaved(store.get(draftsAtom), sent, [...saved, ...outdated]));
      if (!error) setMine(Object.fromEntries(outdated.map((key) => [key, sent[key]])));
      const refused = results.find((result) => result.status === "rejected");
      if (!refused) return toast(done);
      const names = keys
        .filter((key) => !saved.includes(key))
        .map((key) => nameOf(key, sent[key]?.name ?? ""))
        .join(t("notifications.save.between"));
      setFailed(t("notifications.save.notSaved", { names }));
      if (outdated.length > 0) return setFailed(t("alerts.rule.changed"));
      const what = t(saved.length > 0 ? "notifications.save.someFailed" : "notifications.save.failed");
      toast(t("notifications.save.failure", { what, names, reason: errorText(refused.reason) }), { tone: "bad" });
    });

  const clear = () => {
    setFailed(undefined);
    setMine({});
  };
  const takeMine = () => {
    store.set(draftsAtom, { ...store.get(draftsAtom), ...mine });
    clear();
  };
  return { save, busy, failed, isOutdated: Object.keys(mine).length > 0, clear, takeMine };
};

/** Shown on every tab while an edit is unsaved. */
export function SaveBar({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const [drafts, setDrafts] = useAtom(draftsAtom);
  const nameOf = useTargetName();
  const { save, busy, failed, isOutdated, clear, takeMine } = useSave();
  const changed = changedKeys(settings, drafts);
  const invalid = invalidKeys(settings, drafts).map((key) => nameOf(key, drafts[key]?.name ?? ""));
  const dirty = changed.length > 0;

  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [dirty]);

  if (!dirty && !isOutdated) return null;
  const names = invalid.join(t("notifications.save.between"));
  const wrong = invalid.length > 0 ? t("notifications.save.invalid", { names }) : failed;
  const discard = () => {
    clear();
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
        {isOutdated ? (
          <button type="button" onClick={takeMine}>
            {t("alerts.rule.again")}
          </button>
        ) : (
          <button type="button" disabled={busy || invalid.length > 0} aria-busy={busy} onClick={() => save()}>
            {t(busy ? "common.action.saving" : "common.action.save")}
          </button>
        )}
      </div>
    </section>
  );
}
