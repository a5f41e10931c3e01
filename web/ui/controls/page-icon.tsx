// Drawn on a 24 × 24 grid with a stroke of 1.75.
const pagePaths = {
  check: "M5 12.5l4.5 4.5L19 7.5",
  up: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M8 12.4l2.8 2.8 5.4-5.8",
  down: "M12 3.5l9 16.5H3zM12 10v4.5M12 17.3v.01",
  pending: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7.5V12l3 2",
  paused: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M10 9.5v5M14 9.5v5",
  unknown: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M9.4 9.6c.3-3.2 5.2-3.1 5.2.1 0 2-2.6 2-2.6 4M12 16.6v.01",
  maintenance: "M20.5 7.5l-3.3 3.3-4-4L16.5 3.5a5 5 0 0 0-6.4 6.4L4 16a2.8 2.8 0 0 0 4 4l6.1-6.1a5 5 0 0 0 6.4-6.4",
  bell: "M6 16.5V11a6 6 0 1 1 12 0v5.5l1.5 1.5h-15zM10 21h4",
  globe:
    "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M3 12h18M12 3c2.6 2.5 3.8 5.6 3.8 9s-1.2 6.5-3.8 9c-2.6-2.5-3.8-5.6-3.8-9S9.4 5.5 12 3",
  user: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.5 20.5c.8-3.7 3.8-5.5 7.5-5.5s6.7 1.8 7.5 5.5",
  users:
    "M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 19.5c.6-3.3 3.2-5 6.5-5s5.9 1.7 6.5 5M16 4.8a3.4 3.4 0 0 1 0 6.4M18 14.9c1.9.7 3.1 2.3 3.5 4.6",
  caret: "M7 10l5 5 5-5",
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
} as const;

export type PageIconName = keyof typeof pagePaths;

/** Icons are decorative: the text beside an icon, or the label of its control, carries the meaning. */
type Props = { className?: string } & ({ name: PageIconName; path?: never } | { name?: never; path: string });

/** An icon that the status page may show, too, which does not load the others. */
export function PageIcon({ name, path, className }: Props) {
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
      <path d={path ?? pagePaths[name]} />
    </svg>
  );
}
