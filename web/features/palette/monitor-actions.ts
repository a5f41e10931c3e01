import { useTranslation } from "react-i18next";
import { PASSIVE_KINDS } from "../../../src/shared/monitor";
import { refreshMounted } from "../../lib/resource";
import type { IconName } from "../../ui/controls/icon";
import { toast } from "../../ui/feedback/toast";
import { useCheckError } from "../../ui/hooks/use-check-error";
import { useFailureText } from "../../ui/hooks/use-error-text";
import { useFormat } from "../../ui/hooks/use-format";
import { resumeMonitor } from "../monitors/api";
import { checkNow, pauseMonitor } from "../problems/api";

export const verbs = ["check", "pause", "resume"] as const;
export type Verb = (typeof verbs)[number];

export const icons = { check: "refresh", pause: "pause", resume: "play" } as const satisfies Record<Verb, IconName>;

type Monitor = { kind: string; status: string };

/** Whether a verb can be used with a monitor now. */
export const applies = (verb: Verb, { kind, status }: Monitor): boolean =>
  verb === "check" ? !PASSIVE_KINDS.includes(kind) : (verb === "resume") === (status === "paused");

/** Checks, pauses or resumes a monitor, and says so in a notice. */
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
