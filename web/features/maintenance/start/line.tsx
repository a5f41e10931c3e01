import { useEffect, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Tag } from "../../../../src/shared/tags";
import { paths } from "../../../paths";
import { PageIcon } from "../../../ui/controls/page-icon";
import { ConfirmDialog } from "../../../ui/feedback/confirm-dialog";
import { toast } from "../../../ui/feedback/toast";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import { useFormat } from "../../../ui/hooks/use-format";
import { useCanChange } from "../../teams/use-can-change";
import { endWindows, type MaintenanceTarget, readRunning } from "./api";

type Props = {
  target: MaintenanceTarget;
  tags: readonly Tag[];
  maintenance: { until: string } | null;
  onChanged: () => void;
};
type Running = Awaited<ReturnType<typeof readRunning>>;

/** The titles of the windows that keep a target in maintenance, once they are loaded. */
const useTitle = (target: MaintenanceTarget, tags: readonly Tag[], until: string | undefined): string => {
  const format = useFormat();
  const [titles, setTitles] = useState<readonly string[]>([]);
  const [latest] = useState({ target, tags });
  useEffect(() => {
    setTitles([]);
    if (until === undefined) return;
    let isOver = false;
    // Without the titles, the line still has the end.
    readRunning(latest.target, latest.tags).then(
      ({ running }) => !isOver && setTitles(running.map(({ title }) => title).filter(Boolean)),
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [latest, until]);
  return format.list(titles);
};

/** Until when a monitor or server is in maintenance, with a button that ends it for those who may; nothing while it is not. */
export function MaintenanceLine({ target, tags, maintenance, onChanged }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const failureText = useFailureText();
  const canChange = useCanChange(target);
  const [busy, start] = useTransition();
  const [asking, setAsking] = useState<Running>();
  const title = useTitle(target, tags, maintenance?.until);
  if (!maintenance) return null;

  const attempt = async (task: () => Promise<void>) => {
    try {
      await task();
    } catch (error) {
      toast(failureText(t("notifications.maintenance.endFailed"), error), { tone: "bad" });
    }
  };
  const end = async ({ running }: Running) => {
    await endWindows(running);
    toast(t("notifications.maintenance.ended"));
    onChanged();
  };
  const onEnd = () =>
    start(() =>
      attempt(async () => {
        const found = await readRunning(target, tags);
        if (found.shared.length > 0) setAsking(found);
        else await end(found);
      }),
    );
  return (
    <div className="message quiet maintenance-line" role="status">
      <PageIcon name="maintenance" />
      <span>
        {title && <strong>{title} · </strong>}
        {t("notifications.mute.maintenance", { time: format.moment(maintenance.until) })}
      </span>
      {canChange && (
        <button type="button" className="plain compact" disabled={busy} onClick={onEnd}>
          {t("notifications.maintenance.end")}
        </button>
      )}
      <Link href={paths.maintenance}>{t("notifications.maintenance.all")}</Link>
      {asking && (
        <ConfirmDialog
          title={t("notifications.maintenance.endTitle")}
          text={t("notifications.maintenance.endText", {
            names: format.list(asking.shared.map(({ title }) => title || t("notifications.maintenance.title"))),
          })}
          confirm={t("notifications.maintenance.end")}
          busy={t("notifications.maintenance.end")}
          onConfirm={() => attempt(() => end(asking))}
          onClose={() => setAsking(undefined)}
        />
      )}
    </div>
  );
}
