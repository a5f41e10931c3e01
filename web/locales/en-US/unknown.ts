import type { Translation } from "../zh-CN";

export const unknown: Translation["unknown"] = {
  because: "Unknown since {{time}}: {{reason}}.",
  last: "{{text}} Last known: {{status}}",
  lost: "No ping since {{time}}. It may have been lost: {{gap}}.",
  all: "{{text}} This is the last known state.",
  hub: "This is the last known state. Nothing is reported down until Wakeful can check again.",
  more_one: "and {{count}} more time",
  more_other: "and {{count}} more times",
  reason: {
    hub_stopped: "Wakeful was not running",
    hub_offline: "Wakeful’s own network is down",
    hub_overloaded: "Wakeful’s machine is overloaded",
    ping_possibly_lost: "a ping may have been lost",
  },
  past: {
    hub_stopped: "Wakeful was not running",
    hub_offline: "Wakeful’s own network was down",
    hub_overloaded: "Wakeful’s machine was overloaded",
    ping_possibly_lost: "a ping may have been lost",
  },
  gap: {
    hub_stopped: "Wakeful was not running {{span}}",
    hub_offline: "Wakeful’s own network was down {{span}}",
    hub_overloaded: "Wakeful’s machine was paused or overloaded {{span}}",
    ping_possibly_lost: "A ping may have been lost; unknown {{span}}",
  },
};
