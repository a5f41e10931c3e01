import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import { QUOTA_NAMES } from "../../../src/shared/limits";
import { quotasAtom } from "../../ui/feedback/quota";

/** The quotas of the viewer with their usage. Administrators have none, so they see no section. */
export function QuotasSection() {
  const { t } = useTranslation();
  const { data } = useAtomValue(quotasAtom);
  if (!data) return null;
  return (
    <section className="card">
      <h2>{t("profile.quotas.title")}</h2>
      <p className="soft">{t("profile.quotas.text")}</p>
      <dl className="facts">
        {QUOTA_NAMES.map((name) => (
          <div key={name}>
            <dt>{t(`profile.quotas.name.${name}`)}</dt>
            <dd>{t("common.quota.count", data[name])}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
