import { probeDomain } from "../../../probe/rdap/probe";
import { domainNameOf } from "../../../shared/domains/domain-name";
import { domain as fields } from "../../../shared/monitor-kinds/domain";
import { defineKind } from "./kind";

/** How long saving a monitor waits for the list of registries (ms). */
const LIST_TIMEOUT = 5000;

const nameOf = (domain: unknown): string => domainNameOf(String(domain)) ?? String(domain);

/** Checks the registration of a domain. */
export const domain = defineKind(fields, {
  host: ({ domain }) => nameOf(domain),
  unavailable: async (outbound, { domain }) => {
    const signal = AbortSignal.timeout(LIST_TIMEOUT);
    return (await outbound.rdap.supports(nameOf(domain), { outbound, signal })) === false ? "rdap_unavailable" : null;
  },
  probe: ({ domain, ...fields }, { outbound, ...context }) => probeDomain({ ...fields, ...context, domain }, outbound),
});
