import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { IconName } from "../../lib/icon-paths";
import { Icon } from "../controls/icon";
import { useFormat } from "../hooks/use-format";

type Row = {
  icon: IconName;
  label: string;
  value: number;
  tone?: "up" | "down";
  /** The list of the counted items; a count of 0 has no link. */
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
  return (
    <section className="card summary">
      <h2>
        <Icon name={icon} />
        {title}
      </h2>
      <dl>
        {rows.map((row) => (
          <Figure key={row.label} {...row} />
        ))}
      </dl>
      {note && <p className="soft small note">{note}</p>}
    </section>
  );
}

function Figure({ icon, label, value, tone, href }: Row) {
  const { t } = useTranslation();
  const figure = useFormat().number(value);
  const leads = href !== undefined && value > 0;
  return (
    <div className={tone === "down" && value > 0 ? "down some" : tone}>
      <dt>
        <Icon name={icon} />
        {label}
        {leads && <Icon name="right" />}
      </dt>
      <dd>
        {leads ? (
          <Link href={href} aria-label={t("common.labelled", { label, value: figure })}>
            {figure}
          </Link>
        ) : (
          figure
        )}
      </dd>
    </div>
  );
}
