import { Link } from "wouter";
import { type Tag, type TagColour, tagText } from "../../../src/shared/tags";
import { Icon } from "../controls/icon";

/** The shades of the colours, on light and dark pages, distinct from the colours of states. */
const SHADES: Record<TagColour, string> = {
  gray: "#8b8fa5",
  brown: "#a8795a",
  orange: "#d58a5c",
  yellow: "#c4ac48",
  green: "#7aa868",
  teal: "#4a9ba3",
  blue: "#5b8fd6",
  pink: "#c97aa8",
};

/** The colour of a tag. */
export function TagDot({ color }: { color: TagColour }) {
  return <span className="tag-dot" style={{ background: SHADES[color] }} aria-hidden="true" />;
}

/** The text of a tag with the colour as a dot, so that the word alone carries the meaning. */
export function TagLabel({ tag: { name, color, value } }: { tag: Tag }) {
  return (
    <>
      <TagDot color={color} />
      <span className="truncate">
        {name}
        {value && <span className="soft">: {value}</span>}
      </span>
    </>
  );
}

type Props = {
  tags: readonly Tag[];
  label: string;
  /** The list that a tag opens, filtered by it. */
  listAt: string;
  /** How many are shown; the number of the others follows. */
  most?: number;
};

/** The address of a list filtered by a tag. */
const taggedAt = (listAt: string, tag: Pick<Tag, "name" | "value">): string =>
  `${listAt}?${new URLSearchParams({ tag: tagText(tag) })}`;

/** The widths of characters and of the rest of a tag (px), estimated so that tags are never cut. */
const WIDTH = { wide: 14, other: 7.5, tag: 32, more: 36, most: 128 };

/** The width of a text in a row (px). */
export const widthOf = (text: string): number =>
  [...text].reduce((width, char) => width + (char > "\u2e80" ? WIDTH.wide : WIDTH.other), 0);

/** How many tags fit into a line of this width (px), with the number of the others after them. */
export const fittingTags = (tags: readonly Tag[], room: number): number => {
  const widths = tags.map(({ name, value }) =>
    Math.min(WIDTH.most, WIDTH.tag + widthOf(value ? `${name}: ${value}` : name)),
  );
  const fits = (count: number) => {
    const used = widths.slice(0, count).reduce((sum, width) => sum + width, 0);
    return used + (count < tags.length ? WIDTH.more : 0) <= room;
  };
  return widths.map((_, index) => index + 1).findLast(fits) ?? 0;
};

/** The tags of an item; each opens the list of the items that have it. */
export function TagList({ tags, label, listAt, most = tags.length }: Props) {
  if (tags.length === 0) return null;
  const rest = tags.slice(most);
  return (
    <ul className="tag-list" aria-label={label}>
      {tags.slice(0, most).map((tag) => (
        <li key={tag.name}>
          <Link className="tag-chip" href={taggedAt(listAt, tag)} title={tagText(tag)}>
            <TagLabel tag={tag} />
          </Link>
        </li>
      ))}
      {rest.length > 0 && (
        <li className="tag-chip" title={rest.map(tagText).join(", ")}>
          +{rest.length}
        </li>
      )}
    </ul>
  );
}

/** The number of an item's tags, where there is no room for a tag. */
export function TagCount({ tags, label }: Pick<Props, "tags" | "label">) {
  if (tags.length === 0) return null;
  const names = tags.map(tagText).join(", ");
  return (
    <span className="tag-chip tag-count" title={names}>
      <Icon name="label" />
      <span className="visually-hidden">{label}</span> {tags.length}
    </span>
  );
}
