/** Control characters, and those that would turn the direction of the text around them. */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** A name that a machine reports, with a mark in place of each character that is not for reading. */
export const readableName = (name: string): string => name.replace(UNSAFE, "\ufffd");

type Props = { name: string; className?: string };

/** A name that a machine reports, cut where there is no room for it; the tooltip has all of it. */
export function MachineName({ name, className }: Props) {
  const readable = readableName(name);
  return (
    <bdi className={className ? `truncate ${className}` : "truncate"} title={readable}>
      {readable || "–"}
    </bdi>
  );
}
