import { useTranslation } from "react-i18next";

type Props = { addresses: readonly string[]; short?: boolean };

/** The first address and the number of others; the tooltip lists all of them. */
export function Addresses({ addresses, short = false }: Props) {
  const { t } = useTranslation();
  const [first, ...others] = addresses;
  if (!first) return "–";
  const more = t("agents.moreAddresses", { count: others.length });
  return (
    <span title={others.length > 0 ? addresses.join("\n") : undefined}>
      {first}
      {others.length > 0 && (
        <span className="soft small"> {short ? <Short count={others.length} text={more} /> : more}</span>
      )}
    </span>
  );
}

const Short = ({ count, text }: { count: number; text: string }) => (
  <>
    <span aria-hidden="true">+{count}</span>
    <span className="visually-hidden">{text}</span>
  </>
);
