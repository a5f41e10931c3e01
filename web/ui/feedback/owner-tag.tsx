import { useTranslation } from "react-i18next";

/** The owner of an item that belongs to another user; renders nothing for the viewer's own items. */
export function OwnerTag({ owner }: { owner: string | undefined }) {
  const { t } = useTranslation();
  if (owner === undefined) return null;
  return (
    <span className="tag owner-tag truncate" title={t("common.ownerTitle", { name: owner })}>
      {t("common.owner", { name: owner })}
    </span>
  );
}
