import { useAtom } from "jotai";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { api, payload } from "../../../api";
import { paths } from "../../../paths";
import { Icon, type IconName } from "../../../ui/controls/icon";
import { toast } from "../../../ui/feedback/toast";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import { DrillDialog } from "../../notifications/drill/drill-dialog";
import { type Dashboard, dashboardAtom } from "../../problems/api";

type Steps = NonNullable<Dashboard["checklist"]>;

/** The steps in order, each with the place where it is done. */
const STEPS = [
  { step: "channel", icon: "bell", path: `${paths.notifications}?tab=channels` },
  { step: "rule", icon: "users", path: paths.notifications },
  { step: "server", icon: "server", path: paths.agentCreate },
  { step: "page", icon: "page", path: paths.statusConfig },
] as const satisfies readonly { step: keyof Steps; icon: IconName; path: string }[];

/** Hides the checklist on the page and for good. */
const useHiding = () => {
  const { t } = useTranslation();
  const failureText = useFailureText();
  return async () => {
    try {
      await payload(api.dashboard.checklist.delete());
      dashboardAtom.edit((shown) => ({ ...shown, checklist: null }));
    } catch (error) {
      toast(failureText(t("checklist.hideFailed"), error), { tone: "bad" });
    }
  };
};

/** The steps that a new user has not done yet, by the state of the account. `offer`: a further line in it. */
export default function Checklist({ steps, offer }: { steps: Steps; offer: ReactNode }) {
  const { t } = useTranslation();
  const title = useId();
  const hide = useHiding();
  const open = STEPS.filter(({ step }) => !steps[step]);
  const done = STEPS.length - open.length;
  const isDone = open.length === 0;
  return (
    <section className="card checklist" aria-labelledby={title}>
      <div className="checklist-head">
        <h2 id={title}>{t(isDone ? "checklist.ready" : "checklist.title")}</h2>
        {!isDone && <span className="soft small">{t("checklist.progress", { count: done, total: STEPS.length })}</span>}
        <button
          type="button"
          className="quiet icon-only compact"
          aria-label={t("checklist.hide")}
          title={t("checklist.hide")}
          onClick={() => void hide()}
        >
          <Icon name="cross" />
        </button>
      </div>
      {offer}
      {!isDone && (
        <ul className={open.length === 1 ? "checklist-steps last" : "checklist-steps"}>
          {open.map(({ step, icon, path }) => (
            <li key={step}>
              <Link href={path}>
                <Icon name={icon} />
                <strong>{t(`checklist.${step}.title`)}</strong>
                <span>{t(`checklist.${step}.text`)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {steps.drill && <DrillOffer target={steps.drill} />}
    </section>
  );
}

/** Offers a drill once alerts have a recipient, until one was sent. */
function DrillOffer({ target }: { target: NonNullable<Steps["drill"]> }) {
  const { t } = useTranslation();
  const [, refresh] = useAtom(dashboardAtom);
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    void refresh();
  };
  return (
    <div className="checklist-drill">
      <p>
        <strong>{t("checklist.drill.title")}</strong>{" "}
        <span className="soft">{t("checklist.drill.text", { name: target.name })}</span>
      </p>
      <button type="button" className="plain compact" onClick={() => setOpen(true)}>
        {t("checklist.drill.open")}
      </button>
      {isOpen && <DrillDialog target={target} onClose={close} />}
    </div>
  );
}
