import { eq } from "drizzle-orm";
import { agentStates, sampleHours, samples, sampleTens } from "../db/schema";
import type { Registration, Report, Sample } from "../shared/report";
import { isoTime } from "../shared/time";
import type { TestApp } from "./app";
import type { Answer } from "./client";
import type { TestUser } from "./people";

const GIGABYTE = 2 ** 30;

export const machine = (wanted: Partial<Registration> = {}): Omit<Registration, "token"> => ({
  machine_id: "machine-1",
  hostname: "db-1",
  ip_addresses: ["10.0.0.5", "fd00::5"],
  os: "Debian GNU/Linux 12 (bookworm)",
  version: "6.1.0",
  ...wanted,
});

/** What a machine looked like at a time in epoch milliseconds: a quarter of 16 GB and half of 100 GB used. */
export const sampleAt = (at: number, wanted: Partial<Sample> = {}): Sample => ({
  at: isoTime(at),
  cpu: 12.5,
  memory: { total: 16 * GIGABYTE, used: 4 * GIGABYTE },
  disk: { total: 100 * GIGABYTE, used: 50 * GIGABYTE },
  network: { rx: 8, tx: 2 },
  ...wanted,
});

export const reportOf = (taken: Sample[], wanted: Partial<Report> = {}): Report => {
  const { machine_id, ...identity } = machine();
  return { ...identity, interval: 60, samples: taken, ...wanted };
};

type Agent = {
  id: number;
  key: string;
  /** Sends a report of these samples. */
  report: (taken: Sample[], wanted?: Partial<Report>) => Promise<Answer>;
};

/** Sends a report under a key, as the host agent does. */
export const sendReport = ({ anybody }: TestApp, key: string, report: unknown): Promise<Answer> =>
  anybody.post("/api/agents/report", report, { authorization: `Bearer ${key}` });

let machines = 0;

/** Makes a token as its user and enrols a machine with it, a new one unless `machine_id` says which. */
export const enrolAgent = async (app: TestApp, owner: TestUser, wanted: Partial<Registration> = {}): Promise<Agent> => {
  const { token } = (await app.as(owner).post("/api/agents/token/generate")).body;
  const { status, body } = await app.anybody.post("/api/agents/register", {
    token,
    ...machine({ machine_id: `machine-${++machines}`, ...wanted }),
  });
  if (status !== 201) throw new Error(`the machine could not enrol: ${status} ${body.code}`);
  const { agent, key } = body;
  return { id: agent.id, key, report: (taken, more) => sendReport(app, key, reportOf(taken, more)) };
};

export const readAgentState = async ({ db }: Pick<TestApp, "db">, agentId: number) => {
  const [state] = await db.select().from(agentStates).where(eq(agentStates.agentId, agentId));
  if (!state) throw new Error(`agent ${agentId} has no state`);
  return state;
};

/** Everything that is stored of an agent's past. */
export const countSamples = async ({ db }: Pick<TestApp, "db">, agentId: number) => ({
  samples: await db.$count(samples, eq(samples.agentId, agentId)),
  tens: await db.$count(sampleTens, eq(sampleTens.agentId, agentId)),
  hours: await db.$count(sampleHours, eq(sampleHours.agentId, agentId)),
});
