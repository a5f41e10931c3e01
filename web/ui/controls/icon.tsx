import { type IconName, iconPaths } from "../../lib/icon-paths";

/** Icons are decorative: the text beside an icon, or the label of its control, carries the meaning. */
type Props = { className?: string } & ({ name: IconName; path?: never } | { name?: never; path: string });

export function Icon({ name, path, className }: Props) {
  return (
    <svg
      className={className ? `icon ${className}` : "icon"}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path ?? iconPaths[name]} />
    </svg>
  );
}
