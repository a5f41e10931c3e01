import type { PublicAgent } from "../../../src/modules/status-page/present";
import { formatRate, formatShare, resourceLevel } from "../../lib/format";
import { h } from "./dom";
import { icon } from "./icon";
import type { Speech } from "./words";

/** KB/s that fill the network's bar. */
const FULL_NETWORK = 51.2;
const tones = { active: "up", inactive: "down", connecting: "pending" } as const;

const resource = (label: string, percent: number, text: string, { words }: Speech, neutral = false) => {
  const full = Math.min(100, Math.max(0, percent));
  const filled = h("i", { class: neutral ? "neutral" : resourceLevel(full) });
  filled.style.width = `${full}%`;
  return h(
    "div",
    { class: "resource" },
    h("p", { class: "resource-head" }, h("span", {}, label), h("span", { class: "figure" }, text)),
    h("div", { class: "bar", role: "img", "aria-label": words.labelled(label, text) }, filled),
  );
};

const resources = ({ cpu, memory, disk, network_rx, network_tx }: PublicAgent, speech: Speech) => {
  const { language, words } = speech;
  const share = (label: string, percent: number | null) =>
    percent === null ? null : resource(label, percent, formatShare(language, percent), speech);
  const rate = (network_rx ?? 0) + (network_tx ?? 0);
  const isKnown = network_rx !== null || network_tx !== null;
  return h(
    "div",
    { class: "resources" },
    share(words.resource.cpu, cpu),
    share(words.resource.memory, memory),
    share(words.resource.disk, disk),
    isKnown &&
      resource(
        words.resource.network,
        (rate / FULL_NETWORK) * 100,
        words.rates(formatRate(language, network_rx), formatRate(language, network_tx)),
        speech,
        true,
      ),
  );
};

/** What a server's owner switched on besides its name and figures, or nothing. */
const facts = ({ os, version, hostname }: PublicAgent, { words }: Speech) => {
  const rows = [
    [words.facts.os, os],
    [words.facts.version, version],
    [words.facts.hostname, hostname],
  ] as const;
  const shown = rows.filter(([, value]) => value !== undefined);
  if (shown.length === 0) return null;
  const drawn = shown.map(([label, value]) => h("div", {}, h("dt", {}, label), h("dd", {}, value || "–")));
  return h("dl", { class: "host-facts" }, ...drawn);
};

export const agentCard = (agent: PublicAgent, speech: Speech): HTMLElement => {
  const tone = tones[agent.status] ?? "down";
  const isMeasured = agent.cpu !== null && agent.memory !== null;
  return h(
    "article",
    { class: `card host ${agent.status} ${tone}` },
    h(
      "header",
      {},
      h("h3", { title: agent.name }, agent.name),
      h("span", { class: `status ${tone}` }, icon(tone), speech.words.agentStatus[agent.status]),
    ),
    isMeasured && resources(agent, speech),
    facts(agent, speech),
  );
};
