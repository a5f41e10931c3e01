import { useAtomValue, useStore } from "jotai";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/controls/icon";
import { exceptionsAtom, keyOfFilter, type Notifications } from "../api";
import { draftOf, draftsAtom, edit, withEnabled } from "./drafts";
import { useSave } from "./save-bar";

const globals = ["global-monitor", "global-agent"] as const;

/** The next step of a new user towards the first alert: a channel, then enabled alerts. Undefined once there are both. */
export const useFirstStep = ({ channels, settings }: Notifications): "channel" | "off" | undefined => {
  const exceptions = useAtomValue(exceptionsAtom(keyOfFilter({ of: undefined, search: "" }))).data;
  if (channels.length === 0) return "channel";
  return exceptions?.total === 0 && globals.every((key) => !settings[key].enabled) ? "off" : undefined;
};

/** The next step, with its button. */
export function FirstSteps({ data, onAddChannel }: { data: Notifications; onAddChannel: () => void }) {
  const { t } = useTranslation();
  const store = useStore();
  const { save, busy } = useSave();
  const { channels, settings } = data;
  const step = useFirstStep(data);

  const enableAll = () => {
    const drafts = globals.reduce(
      (before, key) => edit(before, key, "", withEnabled(true, draftOf(settings, before, key), channels)),
      store.get(draftsAtom),
    );
    store.set(draftsAtom, drafts);
    save(t("notifications.start.enabled"));
  };

  if (!step) return null;
  return (
    <section className="first-step">
      <Icon name="bell" />
      <div>
        <h2>{t(`notifications.start.${step}Title`)}</h2>
        <p>{t(`notifications.start.${step}Text`)}</p>
      </div>
      {step === "channel" ? (
        <button type="button" onClick={onAddChannel}>
          <Icon name="plus" />
          {t("notifications.start.addChannel")}
        </button>
      ) : (
        <button type="button" disabled={busy} aria-busy={busy} onClick={enableAll}>
          {t("notifications.start.enable")}
        </button>
      )}
    </section>
  );
}
