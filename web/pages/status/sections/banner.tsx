import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/controls/icon";
import { useAgo } from "../../../ui/feedback/ago";
import type { Section, SectionProps } from "../section";

const signs = { operational: "up", partial: "down", outage: "alert" } as const;

/** The state of the whole page. A page on which nothing ever changed counts as updated when it was read. */
function Banner({ page: { overall, updated_at }, readAt }: SectionProps) {
  const { t } = useTranslation();
  const time = updated_at ?? new Date(readAt).toISOString();
  const ago = useAgo(time);
  return (
    <div className={`banner ${overall ?? "empty"}`}>
      <p className="state" role="status">
        {overall && <Icon name={signs[overall]} />}
        <span>{t(`statusPage.${overall ?? "nothing"}`)}</span>
      </p>
      <p className="updated">
        <time dateTime={time} suppressHydrationWarning>
          {t("common.updated", { time: ago })}
        </time>
      </p>
    </div>
  );
}

export const bannerSection: Section = { key: "banner", draw: Banner };
