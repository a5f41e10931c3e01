import { useTranslation } from "react-i18next";

/** Whose something is that an administrator sees of somebody else; nothing for what is one's own. */
export function OwnerTag({ owner }: { owner: string | undefined }) {
  const { t } = useTranslation();
  if (owner === undefined) return null;
  return (
    <span className="tag owner-tag truncate" title={t("common.ownerTitle", { name: owner })}>
      {t("common.owner", { name: owner })}
    </span>
  );
}
