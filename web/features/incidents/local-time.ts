/** A time as an input of the type datetime-local has it, in the zone of the browser. */
export const toLocal = (time: string | number): string => {
  const at = new Date(time);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

/** The time of an input of that type; undefined where it is empty. */
export const fromLocal = (local: string): string | undefined => (local ? new Date(local).toISOString() : undefined);
