import { useAtom } from "jotai";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { isMissing } from "../../../api";
import { useRefreshOn } from "../../../lib/resource";
import { Icon } from "../../../ui/controls/icon";
import { Failure } from "../../../ui/feedback/failure";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { Stale } from "../../../ui/feedback/stale";
import { dependenciesAtom, keyOf, type NamedTarget } from "../dependencies/api";
import { DependenciesCard } from "../dependencies/dependencies-card";
import { DrillDialog } from "../drill/drill-dialog";
import type { Muted } from "../mute/mute-menu";
import type { Figures } from "../thresholds/current";
import { ThresholdsCard } from "../thresholds/thresholds-card";
import { alertsAtom, type EffectiveAlerts, mendPlace } from "./api";
import { LastMessages } from "./last-messages";
import { RuleCard } from "./rule-card";
import { AlertSentence } from "./sentence";

type Props = {
  target: NamedTarget;
  muted: Muted | null;
  /** Whether the viewer owns the target: its rule and messages are the owner's alone. */
  isOwn: boolean;
  /** Of a server: its last figures, which are shown beside its thresholds. */
  figures?: Figures;
  /** Loads the target again. */
  onChanged: () => void;
};

/** Who is notified when a monitor or server fails, all that decides about it, and what was sent. */
export default function AlertsTab(props: Props) {
  const { target, isOwn } = props;
  const { t } = useTranslation();
  return isOwn ? (
    <OwnAlerts {...props} />
  ) : (
    <div className="stack">
      <p className="soft">{t("alerts.theirs")}</p>
      <DependenciesCard target={target} />
    </div>
  );
}

function OwnAlerts({ target, muted, figures, onChanged }: Props) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(alertsAtom(keyOf(target)));
  const retry = () => void refresh();
  // Muting from the head of the page changes the sentence too.
  useRefreshOn(JSON.stringify(muted), refresh);
  if (!data || isMissing(error))
    return error ? (
      <Failure title={t("alerts.failed")} error={error} onRetry={retry} />
    ) : (
      <Skeleton heights={["6rem", "16rem"]} />
    );
  return (
    <div className="stack alerts-tab">
      <Stale error={error} onRetry={retry} />
      <Who target={target} alerts={data.alerts} />
      <div className="alerts-columns">
        <RuleCard
          target={target}
          stored={data}
          onSaved={refresh}
          onMuted={() => {
            onChanged();
            retry();
          }}
        />
        <DependenciesCard target={target} />
        <Sent target={target} />
      </div>
      {target.type === "agent" && <ThresholdsCard agentId={target.id} rule={data.rule} figures={figures} />}
    </div>
  );
}

/** The sentence, with the way out where no one is notified. */
function Who({ target, alerts }: { target: NamedTarget; alerts: EffectiveAlerts }) {
  const { t } = useTranslation();
  const [{ data }] = useAtom(dependenciesAtom(keyOf(target)));
  return (
    <section className="card alerts-who" aria-label={t(`alerts.when.${target.type}`)}>
      <p className="soft small">{t(`alerts.when.${target.type}`)}</p>
      <AlertSentence alerts={alerts} parents={data?.parents.map(({ name }) => name)} />
      <MendLink alerts={alerts} />
    </section>
  );
}

/** Where the reason is mended why no one is notified, unless that is on the target's own page. */
function MendLink({ alerts }: { alerts: EffectiveAlerts }) {
  const { t } = useTranslation();
  const place = mendPlace(alerts);
  if (!place) return null;
  return (
    <p>
      <Link href={place.path} className="button compact">
        {t(`alerts.mend.${place.text}`)}
      </Link>
    </p>
  );
}

/** The last messages, and the drill. */
function Sent({ target }: { target: NamedTarget }) {
  const { t } = useTranslation();
  const id = useId();
  const [isDrilling, setDrilling] = useState(false);
  return (
    <section className="card alerts-sent" aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>{t("alerts.sent.title")}</h2>
        <button type="button" className="quiet compact" onClick={() => setDrilling(true)}>
          <Icon name="play" />
          {t("alerts.sent.drill")}
        </button>
      </div>
      <LastMessages target={target} />
      {isDrilling && <DrillDialog target={target} onClose={() => setDrilling(false)} />}
    </section>
  );
}
