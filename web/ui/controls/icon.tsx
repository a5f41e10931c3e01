import { PageIcon, type PageIconName } from "./page-icon";

// Drawn on a 24 × 24 grid with a stroke of 1.75.
const iconPaths = {
  plus: "M12 5v14M5 12h14",
  refresh: "M20 11a8 8 0 0 0-14.3-4.3L3 9.5M3 4v5.5h5.5M4 13a8 8 0 0 0 14.3 4.3l2.7-2.8M21 20v-5.5h-5.5",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M20 20l-4-4",
  grid: "M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z",
  list: "M8.5 6H20M8.5 12H20M8.5 18H20M4 6h.01M4 12h.01M4 18h.01",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6",
  eyeOff:
    "M3 3l18 18M6.5 7.4C3.9 9.2 2.5 12 2.5 12S6 18.5 12 18.5c1.7 0 3.2-.5 4.5-1.2M9.8 5.7c.7-.1 1.4-.2 2.2-.2 6 0 9.5 6.5 9.5 6.5s-.7 1.3-2 2.8M9.9 9.9a3 3 0 0 0 4.2 4.2",
  edit: "M4 20l.9-4.2L15.6 5.1a1.6 1.6 0 0 1 2.3 0l1 1a1.6 1.6 0 0 1 0 2.3L8.2 19.1zM13.5 7.2l3.3 3.3",
  trash: "M4.5 6.5h15M9.5 6.5V4h5v2.5M6.5 6.5l.8 13h9.4l.8-13M10 10.5v5.5M14 10.5v5.5",
  cross: "M6 6l12 12M18 6L6 18",
  pause: "M8 5v14M16 5v14",
  play: "M7 4.8v14.4L19 12z",
  muted: "M8 7a6 6 0 0 1 10 4v4.5M6 10.5v6L4.5 18H16M10 21h4M3.5 3.5l17 17",
  funnel: "M4 5h16l-6.5 7.5V19l-3-1.5v-5z",
  left: "M14.5 5.5L8 12l6.5 6.5",
  right: "M9.5 5.5L16 12l-6.5 6.5",
  external: "M13.5 4.5h6v6M19.5 4.5L11 13M17 14v5.5H4.5V7H10",
  enlarge: "M14.5 4.5h5v5M19.5 4.5L14 10M9.5 19.5h-5v-5M4.5 19.5L10 14",
  shrink: "M19.5 10h-5V5M14.5 10L20 4.5M4.5 14h5v5M9.5 14L4 19.5",
  more: "M5.5 12h.01M12 12h.01M18.5 12h.01",
  copy: "M9 8.5h11v12H9zM15 8.5v-5H4v12h5",
  download: "M12 4v11M7.5 11L12 15.5 16.5 11M4.5 19.5h15",
  upload: "M12 15V4M7.5 8L12 3.5 16.5 8M4.5 19.5h15",
  key: "M8 19.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M11.3 11.8L20 3.5M16.5 7l3 3M14 9.4l2 2",
  label: "M4 4.5h8l8 8-7.5 7.5-8.5-8.5zM8.2 8.7h.01",
  columns: "M4 5h16v14H4zM9.3 5v14M14.7 5v14",
  layers: "M12 3.5l9 5-9 5-9-5zM3.5 13l8.5 4.7 8.5-4.7",
} as const;

export type IconName = PageIconName | keyof typeof iconPaths;

type Props = { className?: string } & ({ name: IconName; path?: never } | { name?: never; path: string });

const isOfConsole = (name: IconName): name is keyof typeof iconPaths => name in iconPaths;

/** An icon of the console. */
export function Icon({ name, path, className }: Props) {
  if (path !== undefined) return <PageIcon path={path} className={className} />;
  return isOfConsole(name) ? (
    <PageIcon path={iconPaths[name]} className={className} />
  ) : (
    <PageIcon name={name} className={className} />
  );
}
