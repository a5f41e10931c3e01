import { useAtomValue } from "jotai";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../ui/controls/icon";
import { TargetPicker } from "../notifications/dependencies/target-picker";
import { targetAtom } from "../outages/list/api";
import { tagsAtom } from "../tags/api";

const isTarget = (scope: string): boolean => /^(monitor|agent):/.test(scope);

/** The scope of a report in words. */
export function ScopeText({ scope }: { scope: string }) {
  const { t } = useTranslation();
  if (isTarget(scope)) return <TargetName target={scope} />;
  return scope === "all" || scope === "page"
    ? t(`reports.scope.${scope}`)
    : t("reports.scope.tag", { name: scope.slice("tag:".length) });
}

function TargetName({ target }: { target: string }) {
  return useAtomValue(targetAtom(target)).data ?? target;
}

type Props = { scope: string; onChange: (scope: string) => void };

/** Chooses everything, the status page, a tag, or one monitor or server. */
export function ScopePicker({ scope, onChange }: Props) {
  const { t } = useTranslation();
  const [picking, setPicking] = useState(false);
  const tags = useAtomValue(tagsAtom).data?.tags ?? [];
  const names = new Set(tags.map(({ name }) => `tag:${name}`));
  if (scope.startsWith("tag:")) names.add(scope);
  const choose = (value: string) => {
    setPicking(value === "target");
    if (value !== "target") onChange(value);
  };
  if (isTarget(scope))
    return (
      <span className="tag-chip">
        <span className="truncate">
          <TargetName target={scope} />
        </span>
        <button
          type="button"
          aria-label={t("reports.scope.all")}
          title={t("reports.scope.all")}
          onClick={() => choose("all")}
        >
          <Icon name="cross" />
        </button>
      </span>
    );
  return (
    <>
      <select
        aria-label={t("reports.scope.label")}
        value={picking ? "target" : scope}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="all">{t("reports.scope.all")}</option>
        <option value="page">{t("reports.scope.page")}</option>
        {names.size > 0 && (
          <optgroup label={t("reports.scope.tags")}>
            {[...names].map((value) => (
              <option key={value} value={value}>
                {value.slice("tag:".length)}
              </option>
            ))}
          </optgroup>
        )}
        <option value="target">{t("reports.scope.target")}</option>
      </select>
      {picking && (
        <TargetPicker
          label={t("reports.scope.target")}
          without={[]}
          busy={false}
          errorId={undefined}
          onPick={({ type, id }) => {
            setPicking(false);
            onChange(`${type}:${id}`);
          }}
        />
      )}
    </>
  );
}
