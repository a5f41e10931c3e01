const PREFIX = "The provider said: ";

export type Ours = "timeout" | "unreachable" | "deleted" | "gone";

/** What kept a message from its reader: a sentence of the server's own, or the provider's words as they are. */
export const deliveryErrorText = (error: string): { ours: Ours } | { said: string } => {
  const said = error.startsWith(PREFIX) ? error.slice(PREFIX.length) : error;
  if (said === "no answer within 10 s") return { ours: "timeout" };
  if (/^no answer(: \S+)?$/.test(said)) return { ours: "unreachable" };
  if (said === "the channel was deleted") return { ours: "deleted" };
  if (said === "the channel is gone or switched off") return { ours: "gone" };
  return { said };
};
