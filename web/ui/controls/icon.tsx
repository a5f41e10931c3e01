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
  check: "M5 12.5l4.5 4.5L19 7.5",
  cross: "M6 6l12 12M18 6L6 18",
  up: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M8 12.4l2.8 2.8 5.4-5.8",
  down: "M12 3.5l9 16.5H3zM12 10v4.5M12 17.3v.01",
  pending: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7.5V12l3 2",
  paused: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M10 9.5v5M14 9.5v5",
  unknown: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M9.4 9.6c.3-3.2 5.2-3.1 5.2.1 0 2-2.6 2-2.6 4M12 16.6v.01",
  pause: "M8 5v14M16 5v14",
  play: "M7 4.8v14.4L19 12z",
  bell: "M6 16.5V11a6 6 0 1 1 12 0v5.5l1.5 1.5h-15zM10 21h4",
  muted: "M8 7a6 6 0 0 1 10 4v4.5M6 10.5v6L4.5 18H16M10 21h4M3.5 3.5l17 17",
  funnel: "M4 5h16l-6.5 7.5V19l-3-1.5v-5z",
  globe:
    "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M3 12h18M12 3c2.6 2.5 3.8 5.6 3.8 9s-1.2 6.5-3.8 9c-2.6-2.5-3.8-5.6-3.8-9S9.4 5.5 12 3",
  user: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.5 20.5c.8-3.7 3.8-5.5 7.5-5.5s6.7 1.8 7.5 5.5",
  users:
    "M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 19.5c.6-3.3 3.2-5 6.5-5s5.9 1.7 6.5 5M16 4.8a3.4 3.4 0 0 1 0 6.4M18 14.9c1.9.7 3.1 2.3 3.5 4.6",
  left: "M14.5 5.5L8 12l6.5 6.5",
  right: "M9.5 5.5L16 12l-6.5 6.5",
  caret: "M7 10l5 5 5-5",
  external: "M13.5 4.5h6v6M19.5 4.5L11 13M17 14v5.5H4.5V7H10",
  pulse: "M2.5 12.5h4l2.7-7 5 13 2.6-6h4.7",
  gauge: "M4.5 18.5a9 9 0 1 1 15 0M12 14l4-4.5",
  server: "M4 4.5h16v6H4zM4 13.5h16v6H4zM7.5 7.5h.01M7.5 16.5h.01",
  chart: "M4 20h16M7.5 16v-5M12 16V5M16.5 16V8.5",
  page: "M4 5h16v14H4zM4 9.5h16M7.5 13h5M7.5 16h8",
  sun: "M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5",
  moon: "M20 14.5A8.3 8.3 0 0 1 9.5 4a8.3 8.3 0 1 0 10.5 10.5",
  screen: "M3.5 4.5h17v11.5h-17zM9 20h6M12 16v4",
  leave: "M14.5 4.5H5v15h9.5M10.5 12H21M17.5 8.5L21 12l-3.5 3.5",
  alert: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7.5V13M12 16.3v.01",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  offline:
    "M3 3l18 18M8.5 16.5a5 5 0 0 1 6.3-.6M5.3 13a9.5 9.5 0 0 1 4.2-2.4M2.5 9.5A14 14 0 0 1 7 6.8M12 5.5c3.7 0 7 1.5 9.5 4M14.5 10.8A9.5 9.5 0 0 1 18.7 13M12 20h.01",
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

export type IconName = keyof typeof iconPaths;

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
