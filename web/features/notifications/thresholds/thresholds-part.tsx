import { useAtom } from "jotai";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { MAX_THRESHOLDS } from "../../../../src/shared/agents/thresholds";
import { Icon } from "../../../ui/controls/icon";
import { IconButton } from "../../../ui/controls/icon-button";
import { DeleteDialog } from "../../../ui/feedback/confirm-dialog";
import { Failure } from "../../../ui/feedback/failure";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { Stale } from "../../../ui/feedback/stale";
import { toast } from "../../../ui/feedback/toast";
import {
  createThreshold,
  deleteThreshold,
  type Threshold,
  type ThresholdBody,
  thresholdsAtom,
  updateThreshold,
} from "./api";
import { ThresholdDialog } from "./threshold-dialog";
import { ThresholdTable } from "./threshold-table";
import { sortThresholds } from "./words";

type Props = {
  /** The id of the server for a new threshold, for the link from its page. */
  addFor: number | undefined;
  onAdded: () => void;
};

/** The viewer's thresholds of servers besides the three of the notification rules. */
export function ThresholdsPart({ addFor, onAdded }: Props) {
  const { t } = useTranslation();
  const titleId = useId();
  const [{ data, error }, refresh] = useAtom(thresholdsAtom);
  const [editing, setEditing] = useState<{ threshold?: Threshold } | undefined>(addFor === undefined ? undefined : {});
  const [deleting, setDeleting] = useState<Threshold>();
  const retry = () => void refresh();
  if (!data)
    return error ? (
      <Failure title={t("servers.thresholds.failed")} error={error} onRetry={retry} />
    ) : (
      <Skeleton heights={["5rem"]} />
    );

  const thresholds = sortThresholds(data.thresholds);
  const isFull = thresholds.length >= MAX_THRESHOLDS;
  const save = async (body: ThresholdBody) => {
    const id = editing?.threshold?.id;
    await (id === undefined ? createThreshold(body) : updateThreshold(id, body));
    toast(t("servers.thresholds.saved"));
    await refresh();
  };
  const close = () => {
    setEditing(undefined);
    onAdded();
  };
  return (
    <section className="card rules-part machine-panel" aria-labelledby={titleId} id="thresholds">
      <div className="section-head">
        <h2 id={titleId}>
          {t("servers.thresholds.title")} <span className="soft figure">{thresholds.length}</span>
        </h2>
        <button type="button" className="plain compact" disabled={isFull} onClick={() => setEditing({})}>
          <Icon name="plus" />
          {t("servers.thresholds.add")}
        </button>
      </div>
      {isFull && <p className="soft small">{t("servers.thresholds.full", { limit: MAX_THRESHOLDS })}</p>}
      <Stale error={error} onRetry={retry} />
      {thresholds.length === 0 && <p className="soft small">{t("servers.thresholds.emptyText")}</p>}
      {thresholds.length > 0 && (
        <ThresholdTable
          label={t("servers.thresholds.title")}
          thresholds={thresholds}
          actions={(threshold, name) => (
            <>
              <IconButton
                icon="edit"
                label={t("common.action.edit")}
                of={name}
                onClick={() => setEditing({ threshold })}
              />
              <IconButton
                icon="trash"
                label={t("common.action.delete")}
                of={name}
                onClick={() => setDeleting(threshold)}
              />
            </>
          )}
        />
      )}
      {thresholds.length > 0 && <p className="soft small">{t("servers.thresholds.intro")}</p>}
      {editing && <ThresholdDialog threshold={editing.threshold} agentId={addFor} onSave={save} onClose={close} />}
      {deleting && (
        <DeleteDialog
          title={t("servers.thresholds.deleteTitle")}
          text={t("servers.thresholds.deleteText")}
          done={t("servers.thresholds.deleted")}
          failed={t("servers.thresholds.deleteFailed")}
          remove={() => deleteThreshold(deleting.id)}
          onDeleted={retry}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </section>
  );
}
