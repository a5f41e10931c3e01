/** Local conditions that prevent the hub from making requests. Codes never change. */
export const CONDITIONS = ["resolver", "descriptors", "ports", "memory"] as const;
export type Condition = (typeof CONDITIONS)[number];

/** A present condition, and its start in epoch milliseconds. */
export type ActiveCondition = { code: Condition; since: number };

export const CONDITION_WORDS: Record<Condition, string> = {
  resolver: "the name servers of this machine do not answer",
  descriptors: "no more files or connections can be opened",
  ports: "no more local ports are free for connections there",
  memory: "the system has no memory left for connections",
};
