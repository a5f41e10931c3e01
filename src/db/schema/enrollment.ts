import { kit } from "../columns";
import { owner } from "./accounts";
import { agents } from "./agents";

/** Tokens that let machines enroll. The token is shown once and not stored. */
export const enrollmentTokens = kit.table(
  "enrollment_tokens",
  {
    id: kit.id(),
    /** SHA-256. */
    hash: kit.text().notNull(),
    ...owner(),
    createdAt: kit.long().notNull(),
    expiresAt: kit.long().notNull(),
    /** How many machines may enroll with it. */
    uses: kit.integer().notNull().default(1),
    /** The server that was created before its machine enrolls, as by an import; null: enrolling creates one. */
    agentId: kit.long().references(() => agents.id, { onDelete: "cascade" }),
  },
  (t) => [
    kit.index("enrollment_tokens_team_id_index").on(t.teamId),
    kit.unique("enrollment_tokens_hash_unique").on(t.hash),
    kit.index("enrollment_tokens_user_id_index").on(t.userId),
  ],
);

/** The machines that enrolled with each token: each is one use, also after its server was deleted. */
export const enrolledMachines = kit.table(
  "enrolled_machines",
  {
    tokenId: kit
      .long()
      .notNull()
      .references(() => enrollmentTokens.id, { onDelete: "cascade" }),
    /** SHA-256 of the machine's secret. It may use the token again until its first report. */
    machineHash: kit.text().notNull(),
    /** Null: its server was deleted. */
    agentId: kit.long().references(() => agents.id, { onDelete: "set null" }),
    enrolledAt: kit.long().notNull(),
  },
  (t) => [
    kit.primaryKey({ columns: [t.tokenId, t.machineHash] }),
    kit.index("enrolled_machines_agent_id_index").on(t.agentId),
  ],
);
