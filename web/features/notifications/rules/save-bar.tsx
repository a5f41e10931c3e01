import { useAtom } from "jotai";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/controls/icon";
import { draftsAtom } from "../notifications-state";
import { useTargetName } from "../use-target-name";
import { changedKeys, invalidKeys } from "./drafts";
import type { Settings } from "./setting";
import { useSave } from "./use-save";

/** There for as long as something is unsaved, whatever the tab. */
export function SaveBar({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const [drafts, setDrafts] = useAtom(draftsAtom);
  const nameOf = useTargetName();
  const { save, busy, failed, forget } = useSave();
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
    forget();
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
