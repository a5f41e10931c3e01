import type { TFunction } from "i18next";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { daysLeft } from "../../../../src/shared/certificate";
import { CallError } from "../../../api";
import { whole } from "../../../lib/form";
import { hubNow } from "../../../lib/now";
import { Icon } from "../../../ui/controls/icon";
import { useCheckError } from "../../../ui/hooks/use-check-error";
import { useErrorText } from "../../../ui/hooks/use-error-text";
import { useFormat } from "../../../ui/hooks/use-format";
import { PhasesLine } from "../../problems/phases";
import { type Monitor, type ProbeResult, probeMonitor } from "../api";
import type { KindView } from "./kinds/kind";

/** The longest wait for a probe in seconds, regardless of the monitor's timeout. */
const MAX_WAIT = 10;

const bodyOf = (form: FormData, { toConfig }: KindView, monitor: Monitor | undefined) => ({
  ...(monitor && { id: monitor.id }),
  ...toConfig(form, monitor),
  timeout: Math.min(MAX_WAIT, Math.max(1, whole(form, "timeout"))),
});

/** `unasked`: it could be probed, but only on demand. */
type State =
  | { is: "idle" | "unasked" | "busy" }
  | { is: "done"; result: ProbeResult }
  | { is: "failed"; error: unknown };

/** Probes what a form holds. An answer counts only while the form still holds what was probed. */
export const useProbe = (view: KindView, monitor: Monitor | undefined) => {
  const [state, setState] = useState<State>({ is: "idle" });
  const probed = useRef("");
  const { kind } = view;

  const show = async (key: string, body: ReturnType<typeof bodyOf>) => {
    const set = (next: State) => probed.current === key && setState(next);
    set({ is: "busy" });
    try {
      set({ is: "done", result: (await probeMonitor(body)).result });
    } catch (error) {
      // Invalid fields are named when the form is saved.
      set(error instanceof CallError && error.code === "validation" ? { is: "idle" } : { is: "failed", error });
    }
  };

  return {
    state,
    /** Probes once the target is complete, unless that was done with the same values. */
    probe: (form: HTMLFormElement, isAsked: boolean) => {
      const fields = new FormData(form);
      const isComplete = view.nameOf(fields) !== "" && !view.invalid?.(fields).length;
      const body = bodyOf(fields, view, monitor);
      const key = isComplete ? JSON.stringify([kind, body]) : "";
      if (key === probed.current && !isAsked) return;
      probed.current = key;
      if (!isComplete) return setState({ is: "idle" });
      if (!isAsked && view.hasEffects?.(fields)) return setState({ is: "unasked" });
      void show(key, body);
    },
    /** Marks the values of a form as probed, such as a stored monitor's. */
    skip: (form: HTMLFormElement): void => {
      probed.current = JSON.stringify([kind, bodyOf(new FormData(form), view, monitor)]);
    },
    reset: (): void => {
      probed.current = "";
      setState({ is: "idle" });
    },
  };
};

/** The registrar of a domain, and when it expires. */
const registrationText = (
  { registrar, expires_at }: NonNullable<ProbeResult["registration"]>,
  t: TFunction,
): string => {
  const days = expires_at === null ? null : daysLeft(Date.parse(expires_at), hubNow());
  const expiry = days === null ? t("kinds.domain.noExpiry") : days > 0 && t("kinds.domain.expiresIn", { count: days });
  return [registrar, expiry].filter(Boolean).join(" · ");
};

function Outcome({ result, view }: { result: ProbeResult; view: KindView }) {
  const { t } = useTranslation();
  const format = useFormat();
  const errorOf = useCheckError();
  const { up, error_code, status_code, response_time, cert_expires_at, registration } = result;
  const days = cert_expires_at === null ? 0 : daysLeft(Date.parse(cert_expires_at), hubNow());
  const isExpected = up && error_code !== null;
  const parts = [
    isExpected && t("kinds.inverted.up"),
    up && !isExpected ? (status_code ?? view.upLabel?.(t) ?? t("monitors.probe.connected")) : errorOf(result),
    response_time !== null && format.milliseconds(response_time),
    days > 0 && t("monitors.probe.certificate", { count: days }),
    registration && registrationText(registration, t),
  ];
  return (
    <>
      <Icon name={up ? "up" : "down"} />
      <span>
        {!up && <span className="visually-hidden">{t("monitors.probe.down")} </span>}
        {parts.filter(Boolean).join(" · ")}
        {result.phases && <PhasesLine phases={result.phases} />}
      </span>
    </>
  );
}

type ProbeLineProps = { view: KindView; state: State; isNew: boolean; onProbe: (form: HTMLFormElement) => void };

/** The result of a probe with the values of the form, below its address. */
export function ProbeLine({ view, state, isNew, onProbe }: ProbeLineProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const outcome = state.is === "done" ? (state.result.up ? "up" : "down") : undefined;
  return (
    <div className="probe" role="status" data-outcome={outcome}>
      {state.is === "idle" && isNew && <span className="soft">{t("monitors.probe.hint")}</span>}
      {state.is === "busy" && <span className="soft">{t("monitors.probe.busy")}</span>}
      {state.is === "unasked" && <span className="soft">{t("monitors.probe.unasked")}</span>}
      {state.is === "failed" && <span className="soft">{errorText(state.error)}</span>}
      {state.is === "done" && <Outcome result={state.result} view={view} />}
      {state.is !== "busy" && !(state.is === "idle" && isNew) && (
        <button
          type="button"
          className="quiet compact"
          onClick={(event) => event.currentTarget.form && onProbe(event.currentTarget.form)}
        >
          {t(["unasked", "idle"].includes(state.is) ? "monitors.probe.start" : "monitors.probe.again")}
        </button>
      )}
    </div>
  );
}
