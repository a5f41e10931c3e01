import { useState, useTransition } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { sharedCauseText } from "../../../src/shared/outages/words";
import { CallError } from "../../api";
import { paths } from "../../paths";
import { Icon } from "../../ui/controls/icon";
import { toast } from "../../ui/feedback/toast";
import { useFailureText } from "../../ui/hooks/use-error-text";
import { useFormat } from "../../ui/hooks/use-format";
import { keyOf, type NamedTarget, readDependencies, saveParents } from "../notifications/dependencies/api";
import type { Problem } from "./api";

type Cause = NonNullable<Problem["cause"]>;

/** The monitor that a cause is shown of. */
type Target = { id: number; name: string };

type Props = { cause: Cause | null; monitor: Target; onChanged?: () => void };

/**
 * What probably explains that a monitor is down, in one line: with a link to the server, which can be made something that
 * the monitor depends on. Renders nothing while nothing is known.
 */
export function ProbableCause({ cause, monitor, onChanged }: Props) {
  const text = useCauseText();
  if (cause === null) return null;
  const { agent_id: server, name } = cause;
  const [before, after] = text(cause).split(SERVER);
  if (server === null || name === null) return <p className="cause">{text(cause)}</p>;
  return (
    <p className="cause">
      <span>
        {before}
        <Link href={paths.agent(server)}>{name}</Link>
        {after}
      </span>{" "}
      <DependencyButton
        parent={{ type: "agent", id: server, name }}
        target={{ type: "monitor", ...monitor }}
        onChanged={onChanged}
      />
    </p>
  );
}

/** Stands for the name of a server, which is a link. */
export const SERVER = "\n";

/** Renders a cause in the language of the interface. */
export const useCauseText = () => {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ kind, at, mount, percent, value, others, total }: Cause): string => {
    if (kind === "agent_disk_full") {
      const figure = format.share(percent);
      return mount
        ? t("problems.cause.agent_disk_full", { server: SERVER, mount, figure })
        : t("problems.cause.disk", { server: SERVER, figure });
    }
    if (kind === "agent_silent" || kind === "agent_rebooted")
      return t(`problems.cause.${kind}`, { server: SERVER, time: format.moment(at ?? "") });
    return t(`problems.cause.${sharedCauseText(kind === "shared_domain", others ?? 0, total)}`, {
      value: value ?? "",
      number: format.number((others ?? 0) + 1),
      total: format.number(total ?? 0),
    });
  };
};

type Ends = { parent: NamedTarget; target: NamedTarget };

type ButtonProps = Ends & {
  onChanged?: () => void;
  /** Without its words, for a list of several. */
  isIcon?: boolean;
};

/** Makes a target depend on another target. */
export function DependencyButton({ parent, target, onChanged, isIcon = false }: ButtonProps) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const [busy, start] = useTransition();
  const [isDone, setDone] = useState(false);
  const add = () =>
    start(async () => {
      try {
        await dependOn(target, parent);
        setDone(true);
        toast(t("problems.cause.depends", { name: target.name, parent: parent.name }));
        onChanged?.();
      } catch (error) {
        const isRefused = error instanceof CallError && error.code === "validation";
        const why = isRefused ? t("problems.cause.refused") : failureText(t("problems.cause.failed"), error);
        toast(why, { tone: "bad" });
      }
    });
  if (isDone) return <span className="soft">{t("problems.cause.done")}</span>;
  return (
    <button
      type="button"
      className={isIcon ? "quiet compact icon-only" : "link"}
      disabled={busy}
      onClick={add}
      title={t("problems.cause.hint", { name: target.name, parent: parent.name })}
      aria-label={t("common.labelled", { label: t("problems.cause.depend"), value: target.name })}
    >
      {isIcon ? <Icon name="layers" /> : t("problems.cause.depend")}
    </button>
  );
}

/** Adds a parent to a target. */
const dependOn = async (target: NamedTarget, parent: NamedTarget): Promise<void> => {
  const { parents } = await readDependencies(target);
  if (parents.every((one) => keyOf(one) !== keyOf(parent))) await saveParents(target, [...parents, parent]);
};
