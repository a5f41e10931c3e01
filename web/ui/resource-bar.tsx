import { clampPercent } from "../lib/format";
import { resourceLevel } from "../lib/resource-level";

/** How full something is: CPU, memory, a disk. */
export function ResourceBar({ label, percent, text }: { label: string; percent: number; text: string }) {
  const full = clampPercent(percent);
  return (
    <div className="resource">
      <div className="section-head small">
        <span>{label}</span>
        <span className="figure">{text}</span>
      </div>
      <div className="bar" role="img" aria-label={`${label}: ${text}`}>
        <i className={resourceLevel(full)} style={{ width: `${full}%` }} />
      </div>
    </div>
  );
}
