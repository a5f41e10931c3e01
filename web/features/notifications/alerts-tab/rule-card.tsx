import { useAtom, useAtomValue } from "jotai";
import { useId, useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import type { Metric } from "../../../../src/shared/notifications";
import { CallError } from "../../../api";
import { Switch } from "../../../ui/controls/switch";
import { Skeleton } from "../../../ui/feedback/skeleton";
import { toast } from "../../../ui/feedback/toast";
import { useUnsaved } from "../../../ui/feedback/unsaved";
import { useFailureText } from "../../../ui/hooks/use-error-text";
import { notificationsAtom, saveSetting } from "../api";
import { Conflict } from "../conflict";
import type { NamedTarget } from "../dependencies/api";
import { MuteMenu, useMutedText } from "../mute/mute-menu";
import { changeOf, isValid, type Setting, type TargetKey, toSettingBody, withOverride } from "../rules/drafts";
import { SettingFields } from "../rules/setting-fields";
import { thresholdsOfAtom } from "../thresholds/api";
import { useThresholdFigure } from "../thresholds/words";
import type { EffectiveAlerts } from "./api";

type Stored = { rule: Setting; version: string; alerts: EffectiveAlerts };

type Props = {
  target: NamedTarget;
  stored: Stored;
  /** Whether it begins with a rule of its own, which is not saved yet. */
  isNew?: boolean;
  /** Loads the rule again, after it was saved or after a conflict. */
  onSaved: (isSaved: boolean) => Promise<unknown>;
  onMuted: () => void;
};

/** The edits of a rule, and how they are saved. After a conflict, `mine` has the edits that were refused. */
const useEdits = ({ target, stored: { rule, version }, isNew, onSaved }: Props) => {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const key: TargetKey = `${target.type}:${target.id}`;
  const [change, setChange] = useState<Partial<Setting>>(isNew ? withOverride(true) : {});
  const [mine, setMine] = useState<Partial<Setting>>();
  const [wrong, setWrong] = useState<string>();
  const [busy, start] = useTransition();
  const changed = changeOf(rule, change);
  const isDirty = Object.keys(changed).length > 0;
  const setting: Setting = { ...rule, ...change };

  const save = () =>
    start(async () => {
      try {
        await saveSetting({ ...toSettingBody(key, setting), version });
        await onSaved(true);
        setChange({});
        setMine(undefined);
        setWrong(undefined);
        toast(t("alerts.rule.saved"));
      } catch (error) {
        if (!(error instanceof CallError && error.code === "rule_changed"))
          return setWrong(failureText(t("alerts.rule.saveFailed"), error));
        await onSaved(false);
        setMine(changed);
        setChange({});
        setWrong(undefined);
      }
    });
  return {
    key,
    setting,
    isDirty,
    busy,
    wrong,
    mine,
    save,
    edit: (part: Partial<Setting>) => setChange((before) => ({ ...before, ...part })),
    discard: () => {
      setChange({});
      setWrong(undefined);
    },
    takeMine: () => {
      setChange(mine ?? {});
      setMine(undefined);
    },
  };
};

/** The rule of one target: the default or its own, whether it is critical, and its mute. */
export function RuleCard(props: Props) {
  const { target, stored, onMuted } = props;
  const { t } = useTranslation();
  const id = useId();
  const [{ data }] = useAtom(notificationsAtom);
  const edits = useEdits(props);
  const mutedText = useMutedText();
  const question = useUnsaved(
    () => edits.isDirty,
    () => edits.busy,
  );
  const { key, setting } = edits;
  const { muted } = stored.alerts;
  const Fields = target.type === "agent" ? ServerFields : SettingFields;
  const hasQuiet = data?.policies.some(({ quiet }) => quiet !== null) ?? true;
  return (
    <section className="card rule-card" aria-labelledby={id}>
      <h2 id={id}>{t("alerts.rule.title")}</h2>
      {edits.mine && <Conflict onMine={edits.takeMine} />}
      <div className="rule-line">
        <Switch
          label={t("alerts.rule.follow")}
          checked={!setting.overrideGlobal}
          onChange={(follows) => edits.edit(withOverride(!follows))}
        />
      </div>
      {setting.overrideGlobal &&
        (data ? (
          <Fields
            agentId={target.id}
            target={key}
            setting={setting}
            channels={data.channels}
            policies={data.policies}
            onChange={edits.edit}
          />
        ) : (
          <Skeleton heights={["12rem"]} />
        ))}
      <div className="rule-line">
        <Switch
          label={t("policies.rule.critical")}
          checked={setting.critical}
          onChange={(critical) => edits.edit({ critical })}
        />
        {!hasQuiet && <p className="soft small">{t("alerts.rule.criticalHint")}</p>}
      </div>
      <div className="rule-line">
        <span>{muted ? mutedText(muted) : t("alerts.rule.notMuted")}</span>
        <MuteMenu target={target} muted={muted} onChanged={onMuted} isLabelled />
      </div>
      {(edits.isDirty || edits.wrong) && <SaveLine edits={edits} isValid={isValid(key, setting)} />}
      {question}
    </section>
  );
}

/** The fields of the rule of one server, with the thresholds that count instead of its own. */
function ServerFields({ agentId, ...editing }: Parameters<typeof SettingFields>[0] & { agentId: number }) {
  const { t } = useTranslation();
  const figure = useThresholdFigure();
  const set = useAtomValue(thresholdsOfAtom(agentId)).data?.thresholds ?? [];
  const replacedOf = (metric: Metric) => {
    const counting = set.find((one) => one.metric === metric && !one.subject);
    return counting && t("alerts.thresholds.replaced", { figure: figure(metric, counting.threshold) });
  };
  return <SettingFields {...editing} replacedOf={replacedOf} />;
}

function SaveLine({ edits, isValid }: { edits: ReturnType<typeof useEdits>; isValid: boolean }) {
  const { t } = useTranslation();
  const { busy, wrong, save, discard } = edits;
  return (
    <div className="rule-save">
      {wrong && (
        <p className="message bad" role="alert">
          {wrong}
        </p>
      )}
      <div className="actions">
        <button type="button" disabled={busy || !isValid} aria-busy={busy} onClick={save}>
          {t(busy ? "common.action.saving" : "alerts.rule.save")}
        </button>
        <button type="button" className="quiet" disabled={busy} onClick={discard}>
          {t("common.action.cancel")}
        </button>
      </div>
    </div>
  );
}
