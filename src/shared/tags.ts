/** The colours of tags. */
export const TAG_COLOURS = ["gray", "brown", "orange", "yellow", "green", "teal", "blue", "pink"] as const;
export type TagColour = (typeof TAG_COLOURS)[number];

export const TAG_LIMITS = {
  name: 50,
  value: 50,
  /** Tags of one monitor or server. */
  perTarget: 20,
  /** Tags of one user. */
  perUser: 100,
  /** A name and a value with a colon between them, as lists are filtered by. */
  filter: 101,
} as const;

/** A tag of a monitor or server. `value`, if any, distinguishes targets with the same tag. */
export type Tag = { name: string; color: TagColour; value?: string };

/** A tag as lists are filtered by it: its name, or its name and value with a colon between them. No name has a colon. */
export const tagText = ({ name, value }: { name: string; value?: string }): string =>
  value ? `${name}:${value}` : name;

/** Tags as one text, equal for the same tags in any order. */
export const tagsText = (tags: readonly { name: string; value?: string }[]): string =>
  tags.map(tagText).toSorted().join(", ");

/** The name and value of a tag that is written as `tagText` does; an empty value for any. */
export const parseTagText = (text: string): { name: string; value: string } => {
  const [name = "", ...rest] = text.split(":");
  return { name: name.trim(), value: rest.join(":").trim() };
};

/** Names that differ in case only are one tag. */
export const tagKey = (name: string): string => name.trim().normalize("NFC").toLowerCase();
