import { resource, resourceFamily, shareUnchanged } from "../../lib/resource";
import { choiceAtom } from "../../lib/storage";
import { agentsDownAtom } from "../../ui/layout/page-title";
import { type Agent, findAgent, listAgents, metrics, type Range, ranges } from "./calls";
import { sorts } from "./list/select-agents";

const arrivesWithin = 2 * 60_000;

/** Just enrolled: its first report is on its way. One that has been silent for longer is not waited for. */
const isArriving = ({ status, created_at }: Pick<Agent, "status" | "created_at">) =>
  status === "connecting" && Date.now() - Date.parse(created_at) < arrivesWithin;

let shown: Agent[] = [];

const loadAgents = async () => {
  const answer = await listAgents();
  shown = shareUnchanged(shown, answer.agents);
  return { ...answer, agents: shown };
};

export const agentsAtom = resource(loadAgents, {
  soon: ({ agents }) => agents.some(isArriving),
  learned: ({ counts }, set) => set(agentsDownAtom, counts.inactive),
});

/** The same list for whoever waits for a new machine: asked every 3 s. */
export const arrivalsAtom = resource(listAgents, { every: 3000 });

export const agentAtom = resourceFamily((id: string) => findAgent(id), {
  soon: ({ agent }) => isArriving(agent),
});

export const metricsAtom = resourceFamily(
  (key: `${string}/${Range}`) => {
    const [id = "", range] = key.split("/");
    return metrics(id, range as Range);
    // They change with the server's last report, which is polled: useRefreshOn refreshes them.
  },
  { every: null },
);

export const viewAtom = choiceAtom("agents.view", ["grid", "list"], "grid");
export const sortAtom = choiceAtom("agents.sort", sorts, "name");
export const rangeAtom = choiceAtom("agents.range", ranges, "1h");
