import { useTranslation } from "react-i18next";

type Props = { addresses: readonly string[]; short?: boolean };

/** The first address, and how many more there are; pointing at them shows all. */
export function Addresses({ addresses, short = false }: Props) {
  const { t } = useTranslation();
  const [first, ...others] = addresses;
  if (!first) return "–";
  const more = t("agents.moreAddresses", { count: others.length });
  return (
    <span title={others.length > 0 ? addresses.join("\n") : undefined}>
      {first}
      {others.length > 0 && (
        <span className="soft small"> {short ? <Short count={others.length} words={more} /> : more}</span>
      )}
    </span>
  );
}

const Short = ({ count, words }: { count: number; words: string }) => (
  <>
    <span aria-hidden="true">+{count}</span>
    <span className="visually-hidden">{words}</span>
  </>
);
