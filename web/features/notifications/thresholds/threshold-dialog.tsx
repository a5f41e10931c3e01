import { useAtomValue } from "jotai";
import { type ComponentProps, useState } from "react";
import { useTranslation } from "react-i18next";
import { REPORT_LIMITS } from "../../../../src/shared/agents/report";
import {
  defaultClear,
  THRESHOLD_BOUNDS,
  THRESHOLD_METRICS,
  THRESHOLD_MINUTES,
  THRESHOLD_SCOPES,
  type ThresholdMetric,
  type ThresholdScope,
} from "../../../../src/shared/agents/thresholds";
import { raw, text } from "../../../lib/form";
import { Field } from "../../../ui/controls/field";
import { Segments } from "../../../ui/controls/segments";
import { FormDialog } from "../../../ui/feedback/form-dialog";
import { useOutageWords } from "../../../ui/hooks/use-outage-words";
import { useSubmit } from "../../../ui/hooks/use-submit";
import { tagsAtom } from "../../tags/api";
import { serversAtom } from "../api";
import type { Threshold, ThresholdBody } from "./api";
import { hasSubject, useThresholdFigure } from "./words";

const UNITS: Record<ThresholdMetric, string> = {
  cpu: "%",
  memory: "%",
  swap: "%",
  disk: "%",
  load: "",
  temperature: "°C",
};

/** The default figure of a new threshold. */
const FIRST: Record<ThresholdMetric, number> = { cpu: 90, memory: 90, swap: 80, disk: 90, load: 2, temperature: 85 };
const FIRST_MINUTES = 10;

type Props = {
  /** The threshold to edit; undefined for a new one. */
  threshold: Threshold | undefined;
  /** The server that a new one is for; undefined for all. */
  agentId: number | undefined;
  onSave: (body: ThresholdBody) => Promise<void>;
  onClose: () => void;
};

/** A number as it was typed; undefined for an empty field. */
const figureIn = (fields: FormData, name: string): number | undefined => {
  const typed = text(fields, name);
  return typed === "" ? undefined : Number(typed);
};

/** Creates or edits a threshold. */
export function ThresholdDialog({ threshold, agentId, onSave, onClose }: Props) {
  const { t } = useTranslation();
  const words = useOutageWords();
  const form = useSubmit(t("servers.thresholds.saveFailed"));
  const [scope, setScope] = useState<ThresholdScope>(threshold?.scope ?? (agentId === undefined ? "all" : "agent"));
  const [metric, setMetric] = useState<ThresholdMetric>(threshold?.metric ?? "disk");

  const onValid = (fields: FormData) =>
    form.submit(async () => {
      const clear = figureIn(fields, "clear");
      await onSave({
        ...{ scope, metric },
        tag_id: scope === "tag" ? Number(text(fields, "tag_id")) : null,
        agent_id: scope === "agent" ? Number(text(fields, "agent_id")) : null,
        subject: hasSubject(metric) ? raw(fields, "subject").trim() : "",
        threshold: Number(text(fields, "threshold")),
        ...(clear !== undefined && { clear }),
        minutes: Number(text(fields, "minutes")),
      });
      onClose();
    });
  const check = (fields: FormData) => ({
    clear:
      (figureIn(fields, "clear") ?? 0) > Number(text(fields, "threshold"))
        ? t("servers.thresholds.clearTooHigh")
        : undefined,
  });

  return (
    <FormDialog
      title={t(`servers.thresholds.${threshold ? "editTitle" : "add"}`)}
      of={form}
      focus="[name=metric]"
      onValid={onValid}
      check={check}
      onClose={onClose}
    >
      <ScopeFields {...{ scope, threshold, agentId }} wrong={form.wrong} onScope={setScope} />
      <div className="form-row">
        <Field label={t("servers.thresholds.metric")} error={form.wrong("metric")}>
          <select name="metric" value={metric} onChange={({ target }) => setMetric(target.value as ThresholdMetric)}>
            {THRESHOLD_METRICS.map((name) => (
              <option key={name} value={name}>
                {words[name].metric}
              </option>
            ))}
          </select>
        </Field>
        {hasSubject(metric) && (
          <Field label={t(`servers.thresholds.subject.${metric}`)} optional error={form.wrong("subject")}>
            <input
              name="subject"
              maxLength={REPORT_LIMITS.mount}
              defaultValue={threshold?.subject ?? ""}
              placeholder={t(`servers.thresholds.each.${metric}`)}
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
        )}
      </div>
      <FigureFields key={metric} {...{ metric, threshold }} wrong={form.wrong} />
    </FormDialog>
  );
}

type Wrong = (name: string) => string | undefined;
type ScopeProps = Pick<Props, "threshold" | "agentId"> & {
  scope: ThresholdScope;
  wrong: Wrong;
  onScope: (scope: ThresholdScope) => void;
};

/** The servers of the threshold. */
function ScopeFields({ scope, threshold, agentId, wrong, onScope }: ScopeProps) {
  const { t } = useTranslation();
  const tags = useAtomValue(tagsAtom).data?.tags ?? [];
  return (
    <>
      <div className="field">
        <span className="choice-label">{t("servers.thresholds.scope")}</span>
        <Segments
          label={t("servers.thresholds.scope")}
          choices={THRESHOLD_SCOPES.map((value) => ({ value, label: t(`servers.thresholds.scopes.${value}`) }))}
          chosen={scope}
          onChoose={onScope}
        />
      </div>
      {scope === "tag" && (
        <Field
          label={t("servers.thresholds.tag")}
          hint={tags.length === 0 ? t("servers.thresholds.noTags") : undefined}
          error={wrong("tag_id")}
        >
          <TargetSelect name="tag_id" required first={threshold?.tag?.id} targets={tags} />
        </Field>
      )}
      {scope === "agent" && <ServerField chosen={threshold?.agent?.id ?? agentId} wrong={wrong} />}
    </>
  );
}

function ServerField({ chosen, wrong }: { chosen: number | undefined; wrong: Wrong }) {
  const { t } = useTranslation();
  const agents = useAtomValue(serversAtom).data?.agents ?? [];
  return (
    <Field label={t("servers.thresholds.server")} error={wrong("agent_id")}>
      <TargetSelect name="agent_id" required first={chosen} targets={agents} />
    </Field>
  );
}

type TargetSelectProps = Omit<ComponentProps<"select">, "value" | "onChange"> & {
  /** The id that is chosen at first; undefined for the first of the targets. */
  first: number | undefined;
  targets: readonly { id: number; name: string }[];
};

/** Chooses a tag or a server. The choice is kept when the targets are loaded or change while the form is open. */
function TargetSelect({ first, targets, ...select }: TargetSelectProps) {
  const [chosen, setChosen] = useState(String(first ?? ""));
  return (
    <select {...select} value={chosen} onChange={({ target }) => setChosen(target.value)}>
      {/* The field has its value before the targets are loaded, so that it does not count as changed then. */}
      {chosen !== "" && targets.every(({ id }) => String(id) !== chosen) && <option value={chosen} hidden />}
      {targets.map((target) => (
        <option key={target.id} value={target.id}>
          {target.name}
        </option>
      ))}
    </select>
  );
}

type FigureProps = Pick<Props, "threshold"> & { metric: ThresholdMetric; wrong: Wrong };

/** The limit, the duration, and the limit for the end of an alert, with the whole as a sentence. */
function FigureFields({ metric, threshold, wrong }: FigureProps) {
  const { t } = useTranslation();
  const figureText = useThresholdFigure();
  const stored = threshold?.metric === metric ? threshold : undefined;
  const first = stored?.threshold ?? FIRST[metric];
  const [from, setFrom] = useState(first);
  const [min, max] = THRESHOLD_BOUNDS[metric];
  const labelled = (label: string) =>
    UNITS[metric] ? t("servers.thresholds.withUnit", { label, unit: UNITS[metric] }) : label;
  const number = { type: "number", step: "any", inputMode: "decimal", min, max } as const;
  return (
    <div className="form-row">
      <Field label={labelled(t("servers.thresholds.from"))} error={wrong("threshold")}>
        <input
          {...number}
          name="threshold"
          required
          defaultValue={first}
          onChange={({ target }) => setFrom(target.valueAsNumber)}
        />
      </Field>
      <Field
        label={labelled(t("servers.thresholds.until"))}
        hint={
          Number.isFinite(from)
            ? t("servers.thresholds.untilHint", { figure: figureText(metric, defaultClear(metric, from)) })
            : undefined
        }
        error={wrong("clear")}
      >
        <input {...number} name="clear" min={0} defaultValue={stored?.clear ?? ""} />
      </Field>
      <Field
        label={t("servers.thresholds.minutes")}
        hint={t("servers.thresholds.minutesHint")}
        error={wrong("minutes")}
      >
        <input
          {...{ type: "number", inputMode: "numeric", min: 0, max: THRESHOLD_MINUTES }}
          name="minutes"
          required
          defaultValue={stored?.minutes ?? threshold?.minutes ?? FIRST_MINUTES}
        />
      </Field>
    </div>
  );
}
