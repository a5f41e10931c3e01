import { readableName } from "../../../../lib/format";

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
