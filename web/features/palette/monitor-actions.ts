import { useTranslation } from "react-i18next";
import { PASSIVE_KINDS } from "../../../src/shared/monitor";
import { api, payload } from "../../api";
import { refreshMounted } from "../../lib/resource";
import type { IconName } from "../../ui/controls/icon";
import { toast } from "../../ui/feedback/toast";
import { useCheckError } from "../../ui/hooks/use-check-error";
import { useFailureText } from "../../ui/hooks/use-error-text";
import { useFormat } from "../../ui/hooks/use-format";
import { findMonitor, type MonitorDetail, resumeMonitor } from "../monitors/api";
import { shownOutage } from "../monitors/detail/shown-outage";
import { checkNow, pauseMonitor } from "../problems/api";

export const verbs = ["acknowledge", "check", "pause", "resume"] as const;
export type Verb = (typeof verbs)[number];

export const icons = {
  acknowledge: "check",
  check: "refresh",
  pause: "pause",
  resume: "play",
} as const satisfies Record<Verb, IconName>;

type Monitor = { kind: string; status: string; outages?: MonitorDetail["outages"] };

/** Whether a verb can be used with a monitor now. A monitor without its outages may have been acknowledged. */
export const applies = (verb: Verb, { kind, status, outages }: Monitor): boolean => {
  if (verb === "acknowledge")
    return outages
      ? shownOutage({ status, outages })?.acknowledged === null
      : status === "down" || status === "degraded";
  return verb === "check" ? !PASSIVE_KINDS.includes(kind) : (verb === "resume") === (status === "paused");
};

/** Acknowledges the outage of a monitor, checks, pauses or resumes it, and says so in a notice. */
export const useMonitorActions = () => {
  const { t } = useTranslation();
  const format = useFormat();
  const failureText = useFailureText();
  const checkError = useCheckError();

  const attempt = async (failed: string, act: () => Promise<unknown>) => {
    try {
      await act();
    } catch (error) {
      toast(failureText(failed, error), { tone: "bad" });
    }
    refreshMounted();
  };

  return {
    acknowledge: (id: number) =>
      attempt(t("problems.acknowledge.failed"), async () => {
        const { monitor } = await findMonitor(id);
        const outage = shownOutage(monitor);
        if (!outage) return toast(t("problems.acknowledge.page.ended"));
        await payload(api.outages({ id: outage.id }).acknowledge.post({ until: null }));
        toast(t("problems.acknowledge.done", { name: monitor.name }));
      }),
    check: (id: number) =>
      attempt(t("monitors.detail.checkFailed"), async () => {
        const { check } = await checkNow(id);
        if (check.status === "up")
          toast(t("monitors.detail.checkedUp", { time: format.milliseconds(check.response_time) }));
        else toast(t("monitors.detail.checkedDown", { reason: checkError(check) }), { tone: "bad" });
      }),
    pause: (id: number) =>
      attempt(t("monitors.detail.changeFailed"), async () => {
        await pauseMonitor(id);
        toast(t("monitors.detail.paused"));
      }),
    resume: (id: number) =>
      attempt(t("monitors.detail.changeFailed"), async () => {
        await resumeMonitor(id);
        toast(t("monitors.detail.resumed"));
      }),
  } satisfies Record<Verb, (id: number) => Promise<void>>;
};
