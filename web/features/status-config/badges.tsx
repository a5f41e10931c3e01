import { useState } from "react";
import { useTranslation } from "react-i18next";
import { serverAddress } from "../../bootstrap";
import { Copyable } from "../../ui/controls/copyable";
import { Field } from "../../ui/controls/field";
import type { Choice } from "./calls";

/** The addresses of a published service's badges: status, and uptime over 30 days. */
export function Badges({ published }: { published: readonly Choice[] }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<number>();
  const shown = published.find(({ id }) => id === chosen) ?? published[0];
  if (!shown) return null;
  const address = `${serverAddress()}/badge/${shown.id}.svg`;
  return (
    <section className="card badges">
      <h2>{t("status.badges.title")}</h2>
      <p className="soft small">{t("status.badges.hint")}</p>
      <Field label={t("status.badges.service")}>
        <select value={shown.id} onChange={({ target: { value } }) => setChosen(Number(value))}>
          {published.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <Copyable what={t("status.badges.status")} text={address} />
      <Copyable what={t("status.badges.uptime")} text={`${address}?type=uptime&days=30`} />
    </section>
  );
}
