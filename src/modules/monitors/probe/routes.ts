import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { TRIALS_PER_MINUTE } from "../../../core/trials";
import { requireRight } from "../../../db/owner";
import { isoTimeOrNull } from "../../../lib/time";
import type { Outcome } from "../../../probe/outcome";
import { boolean, checkErrorCode, describe, nullable, object, ok, optional, text, time } from "../../../server/answers";
import { presentError } from "../../../shared/check-error";
import { presentPhases } from "../../../shared/monitor";
import { signedIn } from "../../accounts/guard";
import { RegistrationAnswer } from "../certificates/registration";
import type { Engine } from "../engine/engine";
import { countedOutcome } from "../inverted/outcome";
import { shownTo } from "../kinds/masks";
import { parseProbe, probeModel } from "../model";
import { Check, packetLossOf, phasesField } from "../present";
import { findMonitor } from "../service";

const { response_time, packet_loss, status_code, error_detail } = Check.properties;
const ProbeResult = object({
  up: boolean("Whether a check with this outcome counts as up.", true),
  response_time,
  packet_loss,
  status_code,
  error: nullable(
    text("Why the request failed, as in a check; of an inverted monitor also when that counts as up.", ""),
    null,
  ),
  error_code: checkErrorCode("The cause, as a code that never changes.", null),
  error_detail,
  cert_expires_at: nullable(
    time("When the certificate of an https address expires; null without one.", "2026-06-01T00:00:00.000Z"),
  ),
  registration: optional(RegistrationAnswer),
  phases: phasesField,
});

/** The outcome, without the address and the answer. A failure that counts as up keeps its error. */
const present = (
  { kind, config }: Pick<ReturnType<typeof parseProbe>, "kind" | "config">,
  found: Outcome,
): Static<typeof ProbeResult> => {
  const outcome = countedOutcome(found, config);
  return {
    up: outcome.up,
    response_time: outcome.responseTime,
    packet_loss: packetLossOf(kind.kind, found),
    status_code: outcome.statusCode,
    ...presentError(outcome.error ?? found.error),
    cert_expires_at: kind.expires ? null : isoTimeOrNull(outcome.certExpiresAt),
    ...(outcome.registration && { registration: outcome.registration }),
    phases: presentPhases(outcome.phases),
  };
};

/** Tries what a form holds before it is saved. */
export const probeRoutes = (deps: Deps, engine: Engine) =>
  new Elysia().use(signedIn(deps)).post(
    "/probe",
    async ({ user, body, server, request }) => {
      const storedMonitor = body.id === undefined ? undefined : (await findMonitor(deps, user, body.id)).monitor;
      // Its secrets are sent where the caller says.
      if (storedMonitor) requireRight(user, "edit", storedMonitor);
      const trial = parseProbe(body, storedMonitor, storedMonitor && shownTo(user, storedMonitor));
      // A probe may take longer than the idle timeout of a connection.
      server?.timeout(request, 0);
      return { success: true as const, result: present(trial, await engine.probe(user, trial)) };
    },
    {
      body: probeModel,
      detail: describe({
        id: "probeMonitor",
        summary: "Probe without saving",
        description: `Makes one request as a check of this monitor would, under the same limits and rules of private addresses, and stores nothing. Probes and test messages of a user are limited to ${TRIALS_PER_MINUTE} in a minute.`,
        access: "user",
        answer: {
          description: "The outcome; 200 also when it is down.",
          schema: ok({ result: ProbeResult }),
        },
        refusals: [
          "not_found",
          "not_checkable",
          "rate_limited",
          "ping_unavailable",
          "rdap_unavailable",
          "hub_unavailable",
          "registry_unavailable",
        ],
      }),
    },
  );
