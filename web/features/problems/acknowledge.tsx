import { useAtomValue } from "jotai";
import { useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { HOUR } from "../../../src/shared/limits";
import { api, payload } from "../../api";
import { PHONE, useMedia } from "../../lib/hooks/use-media";
import { hubNow } from "../../lib/now";
import { paths } from "../../paths";
import { Field } from "../../ui/controls/field";
import { Icon } from "../../ui/controls/icon";
import { FormDialog } from "../../ui/feedback/form-dialog";
import { toast } from "../../ui/feedback/toast";
import { useFailureText } from "../../ui/hooks/use-error-text";
import { useFormat } from "../../ui/hooks/use-format";
import { useSubmit } from "../../ui/hooks/use-submit";
import { hubUnknownAtom, type Problem } from "./api";

/** Who acknowledged an outage: the field `acknowledged` of the API. */
export type Acknowledged = NonNullable<Problem["acknowledged"]>;

/** Nine o'clock of the next day. `now` is a time of the hub. */
export const tomorrowAtNine = (now: number): number => {
  const nine = new Date(now);
  nine.setDate(nine.getDate() + 1);
  nine.setHours(9, 0, 0, 0);
  return nine.getTime();
};

/** How long an acknowledgement lasts: to a time of the hub, or until it recovers. */
const ENDS = {
  recovery: () => null,
  hour: (now: number) => now + HOUR,
  hours: (now: number) => now + 8 * HOUR,
  tomorrow: tomorrowAtNine,
} as const;
const CHOICES = Object.keys(ENDS) as (keyof typeof ENDS)[];

/** Who acknowledged an outage, until when and why, in words. */
export const useAcknowledgedText = () => {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ by, link, until, note }: Acknowledged): string => {
    const channel = link?.channel_name;
    const who =
      channel === undefined
        ? t("problems.acknowledge.by", { name: by ?? "" })
        : by === null
          ? t("problems.acknowledge.byLink", { channel })
          : t("problems.acknowledge.byNameAndLink", { name: by, channel });
    const parts = [who, until !== null && t("problems.acknowledge.untilTime", { time: format.moment(until) }), note];
    return parts.filter(Boolean).join(" · ");
  };
};

/** The mark of an outage that is acknowledged. */
export function AcknowledgedMark({ acknowledged }: { acknowledged: Acknowledged | null }) {
  const text = useAcknowledgedText();
  if (!acknowledged) return null;
  return (
    <span className="acknowledged-mark" title={text(acknowledged)}>
      <Icon name="check" /> <span>{text(acknowledged)}</span>
    </span>
  );
}

/** The mark of a target that changes so often that single changes are not sent. */
export function UnstableMark({ flapping }: { flapping: boolean }) {
  const { t } = useTranslation();
  if (!flapping) return null;
  return (
    <span className="tag unstable-mark" title={t("problems.unstableTitle")}>
      {t("problems.unstable")}
    </span>
  );
}

type Target = { id: number; name: string };

const routeOf = (id: number) => api.outages({ id }).acknowledge;

type Props = {
  outage: Target;
  acknowledged: Acknowledged | null;
  /** Whether it is the main button of its page; `large`: in the head of it. */
  isMain?: boolean | "large";
  onChanged: () => void;
};

/** The state of acknowledging one outage: a dialog to mount while it is open, and the action of a button or a menu. */
export const useAcknowledge = ({ outage, acknowledged, onChanged }: Props) => {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const [isOpen, setOpen] = useState(false);
  const [busy, start] = useTransition();
  const withdraw = () =>
    start(async () => {
      try {
        await payload(routeOf(outage.id).delete());
        toast(t("problems.acknowledge.withdrawn", { name: outage.name }));
      } catch (error) {
        toast(failureText(t("problems.acknowledge.withdrawFailed"), error), { tone: "bad" });
      }
      onChanged();
    });
  return {
    busy,
    label: t(acknowledged ? "problems.acknowledge.undo" : "problems.acknowledge.action"),
    onClick: acknowledged ? withdraw : () => setOpen(true),
    dialog: isOpen && <AcknowledgeDialog outage={outage} onChanged={onChanged} onClose={() => setOpen(false)} />,
  };
};

/** `isQuiet`: the hub knows nothing, so that an outage may be over. */
const classNameOf = ({ isMain = false, acknowledged }: Props, isQuiet: boolean): string =>
  [
    "acknowledge",
    ...(isMain === "large" ? [] : ["compact"]),
    ...(isMain && !acknowledged && !isQuiet ? [] : ["plain"]),
  ].join(" ");

/** A button that opens the dialog, or withdraws the acknowledgement. */
export function AcknowledgeButton(props: Props) {
  const { t } = useTranslation();
  const { busy, label, onClick, dialog } = useAcknowledge(props);
  const isQuiet = useAtomValue(hubUnknownAtom) !== null;
  return (
    <>
      <button
        type="button"
        className={classNameOf(props, isQuiet)}
        disabled={busy}
        onClick={onClick}
        title={label}
        aria-label={t("common.labelled", { label, value: props.outage.name })}
      >
        <Icon name={props.acknowledged ? "cross" : "check"} />
        <span className="word">
          {t(props.acknowledged ? "problems.acknowledge.undoShort" : "problems.acknowledge.action")}
        </span>
      </button>
      {dialog}
    </>
  );
}

type OpenOutage = { id: number; target_name: string; acknowledged: Acknowledged | null };

/** The main button in the head of a page whose state is an outage, until that is acknowledged. A phone has it below the reason. */
export function AcknowledgeInHead({ outage, onChanged }: { outage?: OpenOutage } & Pick<Props, "onChanged">) {
  const isPhone = useMedia(PHONE);
  if (!outage || outage.acknowledged || isPhone) return null;
  const { id, target_name: name } = outage;
  return <AcknowledgeButton outage={{ id, name }} acknowledged={null} isMain="large" onChanged={onChanged} />;
}

type ActionsProps = Pick<Props, "onChanged"> & {
  outage: OpenOutage & { flapping: boolean };
  /** Whether the head of the page acknowledges it, but on phones. */
  isInHead?: boolean;
};

/** The marks of an open outage, the button beside them, and the link to its own page, for the page of its target. */
export function OutageActions({ outage, isInHead = false, onChanged }: ActionsProps) {
  const { t } = useTranslation();
  const isPhone = useMedia(PHONE);
  const { id, target_name: name, acknowledged, flapping } = outage;
  return (
    <div className="outage-actions">
      <UnstableMark flapping={flapping} />
      <AcknowledgedMark acknowledged={acknowledged} />
      {(acknowledged || isPhone || !isInHead) && (
        <AcknowledgeButton outage={{ id, name }} acknowledged={acknowledged} isMain onChanged={onChanged} />
      )}
      <Link href={paths.outage(id)} className="small">
        {t("outages.link")}
      </Link>
    </div>
  );
}

type DialogProps = Pick<Props, "outage" | "onChanged"> & { onClose: () => void };

/** Asks until when an outage is acknowledged, and why. */
function AcknowledgeDialog({ outage, onChanged, onClose }: DialogProps) {
  const { t } = useTranslation();
  const form = useSubmit(t("problems.acknowledge.failed"));
  const onValid = (fields: FormData) =>
    form.submit(async () => {
      const end = ENDS[String(fields.get("until")) as keyof typeof ENDS](hubNow());
      const note = String(fields.get("note")).trim();
      const until = end === null ? null : new Date(end).toISOString();
      await payload(routeOf(outage.id).post({ until, ...(note && { note }) }));
      toast(t("problems.acknowledge.done", { name: outage.name }));
      onChanged();
      onClose();
    });
  return (
    <FormDialog
      title={t("problems.acknowledge.title", { name: outage.name })}
      text={t("problems.acknowledge.text")}
      of={form}
      className="acknowledge-dialog"
      isDirty={() => false}
      submit={t("problems.acknowledge.action")}
      onValid={onValid}
      onClose={onClose}
    >
      <Field label={t("problems.acknowledge.until")} error={form.wrong("until")}>
        <select name="until" defaultValue="recovery">
          {CHOICES.map((choice) => (
            <option key={choice} value={choice}>
              {t(`problems.acknowledge.${choice}`)}
            </option>
          ))}
        </select>
      </Field>
      <Field label={t("problems.acknowledge.note")} optional error={form.wrong("note")}>
        <input name="note" maxLength={500} autoComplete="off" />
      </Field>
    </FormDialog>
  );
}
