import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { METRICS, type Metric } from "../../../../src/shared/notifications";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { Switch } from "../../../ui/controls/switch";
import type { Channel } from "../api";
import { PolicyText } from "../policies/sentence";
import { type Editing, isThreshold, kindOf, metricFields, type TargetKey, withEnabled } from "./drafts";

type ChoiceProps = {
  disabled: boolean;
  chosen: readonly number[];
  channels: readonly Channel[];
  onChange: (chosen: number[]) => void;
};

/** The choice of channels. The built-in one has the id 0. */
function ChannelChoice({ disabled, chosen, channels, onChange }: ChoiceProps) {
  const { t } = useTranslation();
  const id = useId();
  const toggle = (channel: number, on: boolean) =>
    onChange(on ? [...chosen, channel] : chosen.filter((other) => other !== channel));
  return (
    <fieldset disabled={disabled} aria-labelledby={`${id}-channels`}>
      <legend id={`${id}-channels`}>{t("notifications.setting.channels")}</legend>
      {channels.map(({ id, name, enabled }) => (
        <label key={id}>
          <input type="checkbox" checked={chosen.includes(id)} onChange={(event) => toggle(id, event.target.checked)} />
          {enabled ? name : t("notifications.setting.channelOff", { name })}
        </label>
      ))}
      {channels.length === 0 ? (
        <p className="hint">
          {t("notifications.setting.noChannels")}{" "}
          <Link href={`${paths.notifications}?tab=channels&add`}>{t("notifications.start.addChannel")}</Link>
        </p>
      ) : (
        !disabled &&
        chosen.length === 0 && (
          <p className="message warn" role="status">
            <Icon name="alert" />
            {t("notifications.setting.noneChosen")}
          </p>
        )
      )}
    </fieldset>
  );
}

/** Whether the sentences of a policy are folded, because the page has a summary. */
type Folding = { isFolded?: boolean };

/** The recipients of a rule: channels at once, or a policy's, with its sentences. */
function Through({ setting, channels, policies, onChange, isFolded }: Editing & Folding) {
  const { t } = useTranslation();
  const id = useId();
  const disabled = !setting.enabled;
  const policy = policies.find((one) => one.id === setting.policyId);
  const toPolicies = (text: string) => (
    <p className="hint">
      <Link href={`${paths.notifications}?tab=policies`}>{text}</Link>
    </p>
  );
  return (
    <div className="through">
      {policies.length > 0 && (
        <div className="field">
          <label htmlFor={id}>{t("policies.rule.through")}</label>
          <select
            id={id}
            disabled={disabled}
            value={policy?.id ?? ""}
            onChange={({ target }) => onChange({ policyId: target.value === "" ? null : Number(target.value) })}
          >
            <option value="">{t("policies.rule.channels")}</option>
            {policies.map(({ id, name }) => (
              <option key={id} value={id}>
                {t("policies.rule.policy", { name })}
              </option>
            ))}
          </select>
        </div>
      )}
      {policy ? (
        <>
          {isFolded ? (
            <details className="policy-fold">
              <summary className="small">{t("policies.rule.what")}</summary>
              <PolicyText policy={policy} channels={channels} />
            </details>
          ) : (
            <PolicyText policy={policy} channels={channels} />
          )}
          {toPolicies(t("policies.rule.edit"))}
        </>
      ) : (
        <>
          <ChannelChoice
            disabled={disabled}
            chosen={setting.channels}
            channels={channels}
            onChange={(chosen) => onChange({ channels: chosen })}
          />
          {policies.length === 0 && channels.length > 0 && !disabled && toPolicies(t("policies.rule.more"))}
        </>
      )}
    </div>
  );
}

/** The hint of a metric whose threshold in the rule is replaced by another threshold. */
type Replacement = { replacedOf?: (metric: Metric) => string | undefined };

type ThresholdProps = Pick<Editing, "setting" | "onChange"> & Replacement & { metric: Metric };

/** Whether a metric is watched, and its threshold. Text that is not a number stays in the field and counts as invalid. */
function ThresholdField({ metric, setting, onChange, replacedOf }: ThresholdProps) {
  const { t } = useTranslation();
  const id = useId();
  const { on, threshold } = metricFields[metric];
  const value = setting[threshold];
  const isInvalid = !isThreshold(value);
  const replaced = replacedOf?.(metric);
  return (
    <div className="threshold">
      <label>
        <input type="checkbox" checked={setting[on]} onChange={(event) => onChange({ [on]: event.target.checked })} />
        {t(`notifications.setting.${on}`)}
      </label>
      <span className="percent">
        <input
          type="number"
          min={0}
          max={100}
          step="any"
          inputMode="decimal"
          aria-label={t(`notifications.setting.threshold.${metric}`)}
          aria-invalid={isInvalid || undefined}
          aria-describedby={isInvalid ? `${id}-wrong` : undefined}
          value={Number.isNaN(value) ? "" : value}
          onChange={(event) => onChange({ [threshold]: event.target.valueAsNumber })}
        />
        <span aria-hidden="true">%</span>
      </span>
      {isInvalid && (
        <span className="wrong" id={`${id}-wrong`} role="alert">
          {t("notifications.setting.thresholdWrong")}
        </span>
      )}
      {replaced && <p className="hint">{replaced}</p>}
    </div>
  );
}

const events = {
  monitor: ["onDown", "onSlow", "onCertificate", "onRecovery"],
  agent: ["onOffline", "onProblem", "onPlan", "onRecovery"],
} as const;

type Props = Editing & Replacement & { target: TargetKey };

/** Whether a rule sends alerts at all. */
export function RuleSwitch({ setting, channels, onChange }: Omit<Editing, "policies">) {
  const { t } = useTranslation();
  return (
    <Switch
      label={t("notifications.setting.enabled")}
      checked={setting.enabled}
      onChange={(enabled) => onChange(withEnabled(enabled, setting, channels))}
    />
  );
}

/** The events and the channels of a rule. */
export function RuleFields({ target, replacedOf, ...editing }: Props & Folding) {
  const { setting, onChange } = editing;
  const { t } = useTranslation();
  const id = useId();
  const kind = kindOf(target);
  return (
    <>
      <fieldset disabled={!setting.enabled} aria-labelledby={`${id}-when`}>
        <legend id={`${id}-when`}>{t("notifications.setting.when")}</legend>
        {events[kind].map((field) => (
          <label key={field}>
            <input
              type="checkbox"
              checked={setting[field]}
              onChange={(event) => onChange({ [field]: event.target.checked })}
            />
            {t(`notifications.setting.${field}`)}
          </label>
        ))}
        {kind === "agent" && (
          <>
            {METRICS.map((metric) => (
              <ThresholdField key={metric} {...{ metric, setting, onChange, replacedOf }} />
            ))}
            <p className="hint">{t("notifications.setting.thresholdHint")}</p>
          </>
        )}
      </fieldset>
      <Through {...editing} />
    </>
  );
}

/** The rule of one target: a switch, events and channels. */
export function SettingFields(props: Props & { agentId?: number }) {
  return (
    <div className="setting">
      <RuleSwitch {...props} />
      {props.setting.enabled && <RuleFields {...props} isFolded />}
    </div>
  );
}
