import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { serverAddress } from "../../bootstrap";
import { paths } from "../../paths";
import { Copyable } from "../../ui/controls/copy-button";
import { Field } from "../../ui/controls/field";
import { Icon } from "../../ui/controls/icon";
import { Search } from "../../ui/controls/search";
import { Switch } from "../../ui/controls/switch";
import { Empty } from "../../ui/feedback/empty";
import type { Body, Choice } from "./api";

/** The addresses of a published service's badges: status, and uptime over 30 days. */
export function Badges({ published }: { published: readonly Choice[] }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<number>();
  const page = published.find(({ id }) => id === chosen) ?? published[0];
  if (!page) return null;
  const address = `${serverAddress()}/badge/${page.id}.svg`;
  return (
    <section className="card badges">
      <h2>{t("status.badges.title")}</h2>
      <p className="soft small">{t("status.badges.hint")}</p>
      <Field label={t("status.badges.service")}>
        <select value={page.id} onChange={({ target: { value } }) => setChosen(Number(value))}>
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

const facts = ["hostname", "os", "version"] as const;
type ServerFactsProps = { draft: Body; onChange: (change: Partial<Body>) => void };

/** Which facts of the chosen servers the status page shows besides their names and metrics. */
export function ServerFacts({ draft, onChange }: ServerFactsProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="card agent-facts">
      <legend className="visually-hidden">{t("status.agents.facts.legend")}</legend>
      <p className="soft small">{t("status.agents.facts.hint")}</p>
      {facts.map((fact) => (
        <Switch
          key={fact}
          label={t(`status.agents.facts.${fact}`)}
          checked={draft[`show_${fact}`]}
          onChange={(checked) => onChange({ [`show_${fact}`]: checked })}
        />
      ))}
    </fieldset>
  );
}

type Props = {
  kind: "services" | "agents";
  choices: readonly Choice[];
  /** The number of items on the server; `choices` may list only some. */
  total: number;
  /** Adds matching items to `choices`. */
  onSearch: (search: string) => void;
  chosen: readonly number[];
  onChoose: (ids: number[]) => void;
};

const matches = ({ name, hostname = "" }: Choice, search: string) =>
  `${name} ${hostname}`.toLowerCase().includes(search.trim().toLowerCase());

/** A checkbox for each monitor or server that the status page can show. */
export function ChoiceTab({ kind, choices, total, chosen, onSearch, onChoose }: Props) {
  const { t } = useTranslation();
  const [search, setSearch] = useState("");
  const isPartial = choices.length < total;
  useEffect(() => {
    if (!isPartial || search.trim() === "") return;
    const timer = setTimeout(() => onSearch(search), 300);
    return () => clearTimeout(timer);
  }, [isPartial, search, onSearch]);
  const ids = new Set(chosen);
  const matching = choices.filter((choice) => matches(choice, search));
  /** Chosen items keep their places on the page; new ones follow in the order of the list. */
  const choose = (next: ReadonlySet<number>) =>
    onChoose([
      ...chosen.filter((id) => next.has(id)),
      ...choices.map(({ id }) => id).filter((id) => next.has(id) && !ids.has(id)),
    ]);
  const withFound = (selected: boolean) => {
    const next = new Set(ids);
    for (const { id } of matching) selected ? next.add(id) : next.delete(id);
    choose(next);
  };

  if (choices.length === 0)
    return (
      <Empty
        heading="h2"
        icon={kind === "services" ? "pulse" : "server"}
        title={t(`status.${kind}.empty.title`)}
        text={t(`status.${kind}.empty.text`)}
      >
        <Link href={kind === "services" ? paths.monitorCreate : paths.agentCreate} className="button">
          <Icon name="plus" />
          {t(`status.${kind}.create`)}
        </Link>
      </Empty>
    );

  return (
    <>
      <div className="toolbar">
        <Search label={t(`status.${kind}.search`)} value={search} onChange={setSearch} />
        <span className="soft small" role="status">
          {t("status.chosen", { count: chosen.length, total })}
        </span>
        <span className="spring" />
        <button type="button" className="plain compact" onClick={() => withFound(true)}>
          {t("status.all")}
        </button>
        <button type="button" className="plain compact" onClick={() => withFound(false)}>
          {t("status.clear")}
        </button>
      </div>
      {isPartial && <p className="soft small choice-hint">{t("status.partial", { count: choices.length, total })}</p>}
      {kind === "agents" && <p className="soft small choice-hint">{t("status.agents.hint")}</p>}
      <fieldset className="card choice-list">
        <legend className="visually-hidden">{t(`status.${kind}.legend`)}</legend>
        {matching.length === 0 && <p className="soft">{t("status.noMatch")}</p>}
        {matching.map(({ id, name, hostname }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={ids.has(id)}
              onChange={({ target: { checked } }) => {
                const next = new Set(ids);
                checked ? next.add(id) : next.delete(id);
                choose(next);
              }}
            />
            <span className="truncate" title={name}>
              {name}
            </span>
            {hostname && hostname !== name && <span className="soft small truncate">{hostname}</span>}
          </label>
        ))}
      </fieldset>
    </>
  );
}
