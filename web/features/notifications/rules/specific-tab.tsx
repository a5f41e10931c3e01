import { useAtom } from "jotai";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { TargetType } from "../../../../src/shared/alerts";
import { paths } from "../../../paths";
import { Icon } from "../../../ui/controls/icon";
import { Empty } from "../../../ui/feedback/empty";
import { Failure } from "../../../ui/feedback/failure";
import { Skeleton } from "../../../ui/feedback/skeleton";
import type { Notifications } from "../normalise";
import { agentsAtom, monitorsAtom } from "../notifications-state";
import { agentTargets, monitorTargets, type Target } from "./select-targets";
import { SpecificList } from "./specific-list";

type Props = {
  kind: TargetType;
  data: Notifications;
  /** Shows this one alone: whoever comes from its own screen wants no other. */
  only?: number;
  onAll: () => void;
};

export function SpecificTab({ kind, ...rest }: Props) {
  return kind === "monitor" ? <Monitors {...rest} /> : <Agents {...rest} />;
}

type ListProps = Omit<Props, "kind">;

function Monitors(props: ListProps) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(monitorsAtom);
  const retry = () => void refresh();
  if (!data) return <Waiting title={t("notifications.specific.monitorsFailed")} error={error} onRetry={retry} />;
  return <Targets kind="monitor" targets={monitorTargets(data.monitors)} {...props} />;
}

function Agents(props: ListProps) {
  const { t } = useTranslation();
  const [{ data, error }, refresh] = useAtom(agentsAtom);
  const retry = () => void refresh();
  if (!data) return <Waiting title={t("notifications.specific.agentsFailed")} error={error} onRetry={retry} />;
  return <Targets kind="agent" targets={agentTargets(data.agents)} {...props} />;
}

function Waiting(props: { title: string; error: unknown; onRetry: () => void }) {
  return props.error ? <Failure {...props} /> : <Skeleton heights={["4rem", "4rem", "4rem"]} />;
}

function Targets({ kind, targets, ...list }: Props & { targets: Target[] }) {
  const { t } = useTranslation();
  if (targets.length > 0) return <SpecificList kind={kind} targets={targets} {...list} />;
  const isMonitor = kind === "monitor";
  return (
    <Empty
      heading="h2"
      icon={isMonitor ? "pulse" : "server"}
      title={t(isMonitor ? "notifications.specific.noMonitors" : "notifications.specific.noAgents")}
      text={t(isMonitor ? "notifications.specific.noMonitorsText" : "notifications.specific.noAgentsText")}
    >
      <Link href={isMonitor ? paths.monitorCreate : paths.agentCreate} className="button">
        <Icon name="plus" />
        {t(isMonitor ? "monitors.create" : "agents.create")}
      </Link>
    </Empty>
  );
}
