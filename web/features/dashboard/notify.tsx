import { useAtomValue, useSetAtom } from "jotai";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../ui/controls/icon";
import { toast } from "../../ui/feedback/toast";
import { createChannel, notificationsAtom, saveSetting, updateChannel } from "../notifications/api";
import { ChannelDialog } from "../notifications/channels/channel-dialog";
import { type GlobalKey, toSettingBody } from "../notifications/rules/drafts";
import { dashboardAtom } from "../problems/api";
import { addedAtom } from "./start";

const TARGETS = ["global-monitor", "global-agent"] as const satisfies readonly GlobalKey[];

/** Offers to notify of failures, after monitors were added on an empty dashboard. */
export default function NotifyOffer() {
  const { t } = useTranslation();
  const setAdded = useSetAtom(addedAtom);
  const onDone = () => setAdded(false);
  const { data } = useAtomValue(notificationsAtom);
  const refresh = useSetAtom(notificationsAtom);
  const refreshChecklist = useSetAtom(dashboardAtom);
  const [open, setOpen] = useState(false);
  // A second attempt, after the rules could not be saved, must not create another channel.
  const created = useRef<number>(undefined);
  // Someone who is notified already is not asked.
  if (!data || (data.settings["global-monitor"].enabled && data.channels.some(({ enabled }) => enabled))) return null;

  const save = async (body: Parameters<typeof createChannel>[0]) => {
    if (created.current !== undefined) await updateChannel(created.current, body);
    const id = created.current ?? (await createChannel(body)).data.id;
    created.current = id;
    for (const key of TARGETS) {
      const rule = data.settings[key];
      await saveSetting(toSettingBody(key, { ...rule, enabled: true, channels: [...rule.channels, id] }));
    }
    toast(t("dashboard.notify.done"));
    await Promise.all([refresh(), refreshChecklist()]);
    onDone();
  };

  return (
    <section className="card notify-offer">
      <Icon name="bell" />
      <p>
        <strong>{t("dashboard.notify.title")}</strong> <span className="soft">{t("dashboard.notify.text")}</span>
      </p>
      <div className="actions">
        <button type="button" onClick={() => setOpen(true)}>
          {t("dashboard.notify.open")}
        </button>
        <button type="button" className="quiet" onClick={onDone}>
          {t("dashboard.notify.later")}
        </button>
      </div>
      {open && <ChannelDialog forms={data.kinds} onSave={save} onClose={() => setOpen(false)} />}
    </section>
  );
}
