import { useTranslation } from "react-i18next";

/** The first address, and how many more there are. */
export function Addresses({ addresses }: { addresses: readonly string[] }) {
  const { t } = useTranslation();
  const [first, ...others] = addresses;
  if (!first) return "–";
  return (
    <span title={addresses.join("\n")}>
      {first}
      {others.length > 0 && <span className="soft small"> {t("agents.moreAddresses", { count: others.length })}</span>}
    </span>
  );
}
