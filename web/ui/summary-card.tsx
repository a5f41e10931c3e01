import type { ReactNode } from "react";
import type { IconName } from "../lib/icon-paths";
import { Icon } from "./icon";
import { useFormat } from "./use-format";

type Row = { icon: IconName; label: string; value: number; tone?: "up" | "down" };

export function SummaryCard({
  icon,
  title,
  rows,
  note,
}: {
  icon: IconName;
  title: string;
  rows: Row[];
  note?: ReactNode;
}) {
  const format = useFormat();
  return (
    <section className="card summary">
      <h2>
        <Icon name={icon} />
        {title}
      </h2>
      <dl>
        {rows.map(({ icon, label, value, tone }) => (
          <div key={label} className={tone === "down" && value > 0 ? "down some" : tone}>
            <dt>
              <Icon name={icon} />
              {label}
            </dt>
            <dd>{format.number(value)}</dd>
          </div>
        ))}
      </dl>
      {note && <p className="soft small note">{note}</p>}
    </section>
  );
}
