import { useAtom } from "jotai";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useModal } from "../../../ui/feedback/confirm-dialog";
import { Failure } from "../../../ui/feedback/failure";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { keyOf, type NamedTarget } from "../dependencies/api";
import { alertsAtom } from "./api";
import { RuleCard } from "./rule-card";
import { AlertSentence } from "./sentence";

type Props = {
  target: NamedTarget;
  /** Whether it begins with a rule of its own, which is not saved yet. */
  isNew: boolean;
  onSaved: () => void;
  onClose: () => void;
};

/** The rule of one monitor or server in a dialog. */
export function RuleDialog({ target, isNew, onSaved, onClose }: Props) {
  const { t } = useTranslation();
  const dialog = useModal();
  const title = useId();
  const [{ data, error }, refresh] = useAtom(alertsAtom(keyOf(target)));
  const retry = () => void refresh();
  return (
    <dialog ref={dialog} className="rule-dialog" aria-labelledby={title} onClose={onClose}>
      <article>
        <h2 id={title} className="truncate" title={target.name}>
          {t("alerts.rule.of", { name: target.name })}
        </h2>
        {data ? (
          <>
            <AlertSentence alerts={data.alerts} />
            <RuleCard
              target={target}
              stored={data}
              isNew={isNew}
              onSaved={async (isSaved) => {
                await refresh();
                if (!isSaved) return;
                onSaved();
                onClose();
              }}
              onMuted={() => {
                retry();
                onSaved();
              }}
            />
          </>
        ) : error ? (
          <Failure title={t("alerts.failed")} error={error} onRetry={retry} />
        ) : (
          <Skeleton heights={["2rem", "12rem"]} />
        )}
        <div className="actions dialog-foot">
          <button type="button" className="quiet" onClick={onClose}>
            {t("common.action.close")}
          </button>
        </div>
      </article>
    </dialog>
  );
}
