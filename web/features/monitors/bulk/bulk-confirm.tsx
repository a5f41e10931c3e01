import { useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useModal } from "../../../ui/feedback/confirm-dialog";
import { toast } from "../../../ui/feedback/toast";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import { type BulkResult, type Change, changeMonitors, type Target } from "./api";

type Props = {
  target: Target;
  change: Change;
  nameOf: (id: number) => string;
  onChanged: () => void;
  onClose: () => void;
};

/** Refused monitors that are listed by name. */
const LISTED = 10;

/** The monitors that are left out, with the reason of each. */
function Refused({ of: { refused }, nameOf }: { of: Pick<BulkResult, "refused">; nameOf: (id: number) => string }) {
  const { t } = useTranslation();
  if (refused.length === 0) return null;
  return (
    <>
      <p>{t("bulk.refused", { count: refused.length })}</p>
      <ul className="bulk-refused">
        {refused.slice(0, LISTED).map(({ id, code }) => (
          <li key={id}>
            <strong>{nameOf(id)}</strong> <span className="soft">{t(`bulk.refusal.${code}`)}</span>
          </li>
        ))}
        {refused.length > LISTED && <li className="soft">{t("bulk.more", { count: refused.length - LISTED })}</li>}
      </ul>
    </>
  );
}

/** Counts what a change of many monitors would do, asks, does it, and names those that it left out. */
export function BulkConfirm({ target, change, nameOf, onChanged, onClose }: Props) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const dialog = useModal();
  const id = useId();
  const [planned, setPlanned] = useState<BulkResult>();
  const [done, setDone] = useState<BulkResult>();
  const [working, setWorking] = useState(false);
  const what = "action" in change ? change.action : "set";
  const isDeletion = what === "delete";

  const fail = (error: unknown) => {
    toast(failureText(t("bulk.failed"), error), { tone: "bad" });
    onClose();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: counted once, when it opens
  useEffect(() => {
    changeMonitors(target, change, true).then(setPlanned, fail);
  }, []);

  const onYes = async () => {
    if (!planned) return;
    setWorking(true);
    try {
      // Exactly what was counted: a filter may match more by now.
      const result = await changeMonitors({ ids: planned.ids }, change, false);
      onChanged();
      toast(t(`bulk.done.${what}`, { count: result.changed }));
      if (result.refused.length === 0) return onClose();
      setDone(result);
    } catch (error) {
      fail(error);
    }
    setWorking(false);
  };

  const result = done ?? planned;
  const title = done
    ? t(`bulk.done.${what}`, { count: done.changed })
    : planned
      ? t(`bulk.ask.${what}`, { count: planned.changed })
      : t("bulk.counting");

  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      onCancel={(event) => working && event.preventDefault()}
      onClose={onClose}
    >
      <article>
        <h2 id={`${id}-title`}>{title}</h2>
        <div className="soft">
          {!done && planned && planned.matched - planned.changed > 0 && planned.refused.length === 0 && (
            <p>
              {t(`bulk.same.${what === "pause" || what === "resume" ? what : "set"}`, {
                count: planned.matched - planned.changed,
              })}
            </p>
          )}
          {isDeletion && !done && <p>{t("bulk.deletion")}</p>}
          {result && <Refused of={result} nameOf={nameOf} />}
        </div>
        <div className="actions">
          <button type="button" className={done ? "plain" : "quiet"} disabled={working} onClick={onClose}>
            {t(done ? "tags.done" : "common.action.cancel")}
          </button>
          {!done && (
            <button
              type="button"
              className={isDeletion ? "danger" : undefined}
              aria-busy={working}
              disabled={working || !planned || planned.changed === 0}
              onClick={() => void onYes()}
            >
              {t(`bulk.do.${what}`, { count: planned?.changed ?? 0 })}
            </button>
          )}
        </div>
      </article>
    </dialog>
  );
}
