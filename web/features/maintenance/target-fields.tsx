import { useId } from "react";
import { useTranslation } from "react-i18next";
import { parseTagText } from "../../../src/shared/tags";
import { Icon } from "../../ui/controls/icon";
import { Switch } from "../../ui/controls/switch";
import { keyOf, type NamedTarget } from "../notifications/dependencies/api";
import { TargetPicker } from "../notifications/dependencies/target-picker";
import { TagsField } from "../tags/tags-field";

type Props = {
  all: boolean;
  targets: readonly NamedTarget[];
  /** The tags at first, each as its name or name:value; the form has the present ones. */
  tags: readonly string[];
  error: string | undefined;
  onAll: (all: boolean) => void;
  onTargets: (targets: readonly NamedTarget[]) => void;
};

/** Chooses everything, or monitors and servers by their names and tags. */
export function TargetFields({ all, targets, tags, error, onAll, onTargets }: Props) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <fieldset className="window-targets" data-field="monitors">
      <legend>{t("maintenance.targets")}</legend>
      <Switch label={t("maintenance.all")} checked={all} onChange={onAll} />
      {!all && (
        <>
          {targets.length > 0 && (
            <ul className="tag-list">
              {targets.map((target) => (
                <li key={keyOf(target)} className="tag-chip">
                  <Icon name={target.type === "agent" ? "server" : "pulse"} />
                  <span className="truncate">{target.name}</span>
                  <button
                    type="button"
                    aria-label={t("maintenance.remove", { name: target.name })}
                    title={t("maintenance.remove", { name: target.name })}
                    onClick={() => onTargets(targets.filter((other) => other !== target))}
                  >
                    <Icon name="cross" />
                  </button>
                </li>
              ))}
            </ul>
          )}
          <TargetPicker
            label={t("maintenance.find")}
            mine
            without={targets.map(keyOf)}
            busy={false}
            errorId={error && id}
            onPick={(target) => onTargets([...targets, target])}
          />
          <div data-field="tags">
            <TagsField stored={tags.map(parseTagText)} label={t("maintenance.tags")} />
          </div>
        </>
      )}
      {error && (
        <p className="wrong" id={id} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
