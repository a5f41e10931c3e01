import { useTranslation } from "react-i18next";
import { Icon } from "../../ui/controls/icon";

/** The icons of the monitor kinds, and of further choices of what to watch, on the grid of the other icons. */
const PATHS: Readonly<Record<string, string>> = {
  http: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M3 12h18M12 3c2.6 2.5 3.8 5.6 3.8 9s-1.2 6.5-3.8 9c-2.6-2.5-3.8-5.6-3.8-9S9.4 5.5 12 3",
  heartbeat:
    "M12 20.5S3.5 15.6 3.5 9.3A4.6 4.6 0 0 1 12 6.8a4.6 4.6 0 0 1 8.5 2.5c0 6.3-8.5 11.2-8.5 11.2M3.5 12h5l1.7-3 3 5.5 1.6-2.5h5.7",
  ping: "M12 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4M7.8 16.2a6 6 0 0 1 0-8.4M16.2 7.8a6 6 0 0 1 0 8.4M5 19a10 10 0 0 1 0-14M19 5a10 10 0 0 1 0 14",
  tcp: "M9 3v5M15 3v5M6.5 8h11v3.5a5.5 5.5 0 0 1-11 0zM12 17v4",
  mail: "M3.5 5.5h17v13h-17zM3.5 7l8.5 6.5L20.5 7",
  database:
    "M12 9c4.4 0 7.5-1.2 7.5-2.7S16.4 3.5 12 3.5 4.5 4.7 4.5 6.3 7.6 9 12 9M4.5 6.3v11.4c0 1.6 3.1 2.8 7.5 2.8s7.5-1.2 7.5-2.8V6.3M4.5 12c0 1.6 3.1 2.8 7.5 2.8s7.5-1.2 7.5-2.8",
  tls: "M12 3l7.5 2.8v5.7c0 4.6-3.2 8-7.5 9.5-4.3-1.5-7.5-4.9-7.5-9.5V5.8zM8.8 11.8l2.3 2.3 4.2-4.5",
  dns: "M5 20V4h11l3 3v13zM8.5 9h4M8.5 12.5h7M8.5 16h7",
  domain: "M3.5 8.5h17v10h-17zM3.5 8.5L6 4.5h12l2.5 4M8 13.5h8",
  websocket: "M4 9.5h15M15.5 6L19 9.5M20 14.5H5M8.5 18L5 14.5",
  grpc: "M8 4.5L3 12l5 7.5M16 4.5L21 12l-5 7.5M9.5 12h.01M12 12h.01M14.5 12h.01",
};

/** A dot in a circle, for a kind without an icon of its own. */
const OTHER = "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 12h.01";

/** The icon of a monitor kind, or of a further choice of what to watch. */
export const KindIcon = ({ name, className }: { name: string; className?: string }) => (
  <Icon path={PATHS[name] ?? OTHER} className={className} />
);

/** The icon of a monitor's kind, with its name for the pointer and for screen readers. */
export function KindMark({ kind }: { kind: string }) {
  const { t, i18n } = useTranslation();
  const key = `kinds.${kind}.label`;
  // A newer hub may have further kinds.
  const label = i18n.exists(key) ? t(key as "kinds.http.label") : kind;
  return (
    <span className="kind-mark" title={label}>
      <KindIcon name={kind} />
      <span className="visually-hidden">{label} </span>
    </span>
  );
}
