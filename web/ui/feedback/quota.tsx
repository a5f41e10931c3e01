import { useAtomValue } from "jotai";
import { useTranslation } from "react-i18next";
import type { QuotaName } from "../../../src/shared/limits";
import { api, payload } from "../../api";
import { resource } from "../../lib/resource";
import { Icon } from "../controls/icon";

/** The viewer's quotas; null for administrators, who are unlimited. */
export const quotasAtom = resource(async () => (await payload(api.quotas.get())).quotas);

const useQuota = (name: QuotaName) => useAtomValue(quotasAtom).data?.[name];

/** How much of a quota is in use: "12 of 200". Renders nothing without a quota. */
export function QuotaCount({ name, used }: { name: QuotaName; used?: number }) {
  const { t } = useTranslation();
  const quota = useQuota(name);
  if (!quota) return null;
  return (
    <span className="soft small">{t("profile.quotas.count", { used: used ?? quota.used, limit: quota.limit })}</span>
  );
}

/** Warns that a quota is reached, before the viewer fills in a form that would be refused. */
export function QuotaReached({ name, used }: { name: QuotaName; used?: number }) {
  const { t } = useTranslation();
  const quota = useQuota(name);
  if (!quota || (used ?? quota.used) < quota.limit) return null;
  return (
    <p className="message warn stale" role="status">
      <Icon name="alert" />
      {t("errors.code.quota_reached", { limit: quota.limit, what: t(`profile.quotas.noun.${name}`) })}
    </p>
  );
}
