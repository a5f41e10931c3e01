import { useTranslation } from "react-i18next";
import { UptimeBar } from "../../ui/charts/uptime-bar";
import { StatusBadge } from "../../ui/feedback/status-badge";
import { useFormat } from "../../ui/hooks/use-format";

const beats = (downAt: readonly number[]) =>
  Array.from({ length: 32 }, (_, place) => (downAt.includes(place) ? "down" : "up"));

const samples = [
  { name: "site", status: "up", response: 84, history: beats([]) },
  { name: "api", status: "up", response: 212, history: beats([13, 14]) },
  { name: "search", status: "down", response: null, history: beats([30, 31]) },
] as const;

/** An example of monitors, built from the product's components. */
export function HeroPanel() {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className="hero-panel" aria-hidden="true">
      {samples.map(({ name, status, response, history }) => (
        <div key={name} className="hero-row">
          <div>
            <strong>{t(`home.sample.${name}`)}</strong>
            <span className="figure">{format.milliseconds(response)}</span>
            <StatusBadge status={status} />
          </div>
          <UptimeBar history={history} count={32} />
        </div>
      ))}
    </div>
  );
}
