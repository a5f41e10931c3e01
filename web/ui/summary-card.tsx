import type { ReactNode } from "react";
import { Link } from "wouter";
import type { IconName } from "../lib/icon-paths";
import { Icon } from "./icon";
import { useFormat } from "./use-format";

type Row = {
  icon: IconName;
  label: string;
  value: number;
  tone?: "up" | "down";
  /** Where those are found, if there are any. */
  href?: string;
};

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
        {rows.map(({ icon, label, value, tone, href }) => (
          <div key={label} className={tone === "down" && value > 0 ? "down some" : tone}>
            <dt>
              <Icon name={icon} />
              {label}
            </dt>
            <dd>
              {href && value > 0 ? (
                <Link href={href} aria-label={`${label}: ${format.number(value)}`}>
                  {format.number(value)}
                </Link>
              ) : (
                format.number(value)
              )}
            </dd>
          </div>
        ))}
      </dl>
      {note && <p className="soft small note">{note}</p>}
    </section>
  );
}
