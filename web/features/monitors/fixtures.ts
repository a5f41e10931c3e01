import type { Monitor } from "./api";

export const monitor = (change: Partial<Monitor>): Monitor => ({
  id: 1,
  name: "Website",
  kind: "http",
  url: "https://example.com/",
  method: "GET",
  interval: 60,
  timeout: 30,
  expected_status: 200,
  headers: {},
  body: "",
  active: true,
  status: "up",
  since: "2026-01-01T00:00:00.000Z",
  error_code: null,
  error_detail: null,
  unknown: null,
  muted: null,
  maintenance: null,
  tags: [],
  response_time: 84,
  packet_loss: null,
  uptime: 99.5,
  watched: 100,
  last_checked: "2026-01-01T00:00:00.000Z",
  retries: 1,
  retry_pause: 1,
  quick_recheck: true,
  cert_expires_at: null,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  history: [],
  target: change.url ?? "https://example.com/",
  ...change,
});

/** The API's answer with a list of monitors. */
export const list = (...monitors: Monitor[]) => {
  const count = (status: string) => monitors.filter((other) => other.status === status).length;
  const degraded = count("degraded");
  const counts = { up: count("up") + degraded, degraded, down: count("down"), pending: count("pending") };
  return Response.json({
    success: true,
    total: monitors.length,
    counts: { all: monitors.length, ...counts, paused: count("paused") },
    monitors,
  });
};

const day = { uptime: 100, watched: 100, watched_seconds: 86_400, down_seconds: 0, outages: 0 };
const availability = { "24h": day, "7d": day, "30d": day, "90d": day };

/** The API's answer with one monitor, and without points and runs, which its page also loads. */
export const detail = (one: Monitor, checks: object[] = []) =>
  Response.json({
    success: true,
    points: [],
    runs: [],
    gaps: [],
    maintenance: [],
    next: null,
    monitor: {
      ...one,
      checks,
      uptimes: { "24h": 100, "7d": 100, "30d": 99.5, "90d": null },
      availability,
      outages: [],
    },
  });
