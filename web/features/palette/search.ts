import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { api, listCompact, payload } from "../../api";
import { paths } from "../../paths";
import { shownStatus, statusIcons } from "../../ui/feedback/badge";
import { hasAlerts, useServerState } from "../servers/server-status";
import type { Entry } from "./entries";
import { applies, icons, useMonitorActions, type Verb, verbs } from "./monitor-actions";

/** How many monitors and how many servers are listed, of how many that the server finds. */
const SHOWN = 8;
const ASKED = 20;
/** The longest search that the server accepts. */
const SEARCH_LENGTH = 200;
/** How long typing has to pause before the server is asked, in ms. */
const PAUSE = 120;

type Monitor = Awaited<ReturnType<typeof findMonitors>>[number];
type Server = Awaited<ReturnType<typeof findServers>>[number];
type Found = { search: string; monitors: Monitor[]; servers: Server[]; failed: boolean };

const nothing: Found = { search: "", monitors: [], servers: [], failed: false };

const findMonitors = async (search: string) =>
  (await listCompact({ history: 0, limit: ASKED, search, sort: "status" })).monitors;

const findServers = async (search: string) => {
  const { agents } = await payload(api.agents.get({ query: { limit: ASKED, search } }));
  return agents.toSorted((one, other) => byName.compare(one.name || one.hostname, other.name || other.hostname));
};

/** web-2 comes before web-10. */
const byName = new Intl.Collator(undefined, { numeric: true });

type Named = { name: string | null };
const contains = ({ name }: Named, search: string) => (name ?? "").toLowerCase().includes(search.toLowerCase());

/** The best matches: the server also searches addresses, but names come first. */
const best = <T extends Named>(candidates: readonly T[], search: string): T[] =>
  [...candidates.filter((one) => contains(one, search)), ...candidates.filter((one) => !contains(one, search))].slice(
    0,
    SHOWN,
  );

/** The results that match `search`: with results of an earlier search, Enter could open or change the wrong item. */
const current = (found: Found, search: string): Found => {
  if (found.search === search) return found;
  if (search === "") return nothing;
  const named = <T extends Named>(all: T[]) => all.filter((one) => contains(one, search));
  return { ...found, monitors: named(found.monitors), servers: named(found.servers) };
};

/** Splits "pause shop" into what to do and with what. The verbs are known in English and in the language of the interface. */
export const parseSearch = (text: string, words: Record<Verb, string>): { verb: Verb | undefined; search: string } => {
  for (const verb of verbs)
    for (const word of [verb, words[verb]])
      if (text.toLowerCase().startsWith(word.toLowerCase())) {
        const rest = text.slice(word.length);
        // A Latin word ends where a space follows: "checkout" is a name.
        if (/^[a-z]/i.test(word) && rest !== "" && !/^\s/.test(rest)) continue;
        return { verb, search: rest.trim() };
      }
  return { verb: undefined, search: text };
};

/**
 * The monitors and servers that the server finds, a moment after the last change of the search. Of two answers the later search
 * wins. Without a search nothing is found, unless `isWanted`.
 */
const useFound = (search: string, isWanted: boolean): Found => {
  const [found, setFound] = useState(nothing);
  const latest = useRef("");
  useEffect(() => {
    latest.current = search;
    if (!search && !isWanted) return setFound(nothing);
    const load = async () => {
      const asked = search.slice(0, SEARCH_LENGTH);
      const [monitors, servers] = await Promise.allSettled([findMonitors(asked), findServers(asked)]);
      if (latest.current !== search) return;
      setFound({
        search,
        monitors: monitors.status === "fulfilled" ? best(monitors.value, search) : [],
        servers: servers.status === "fulfilled" ? best(servers.value, search) : [],
        failed: monitors.status === "rejected" || servers.status === "rejected",
      });
    };
    const timer = setTimeout(load, PAUSE);
    return () => clearTimeout(timer);
  }, [search, isWanted]);
  useEffect(
    () => () => {
      latest.current = "";
    },
    [],
  );
  return current(found, search);
};

/** The entries that the server finds: monitors, what can be done with them, and servers. */
export const useFoundEntries = (text: string): { entries: Entry[]; failed: boolean } => {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const act = useMonitorActions();
  const serverState = useServerState();
  const words = {
    acknowledge: t("palette.word.acknowledge"),
    check: t("palette.word.check"),
    pause: t("palette.word.pause"),
    resume: t("palette.word.resume"),
  };
  const { verb, search } = parseSearch(text.trim(), words);
  const { monitors, servers, failed } = useFound(search, verb !== undefined);

  const action = (verb: Verb, monitor: Monitor): Entry => ({
    key: `${verb} ${monitor.id}`,
    group: "actions",
    icon: icons[verb],
    label: t(`palette.do.${verb}`, { name: monitor.name }),
    run: () => act[verb](monitor.id),
  });
  if (verb) return { failed, entries: monitors.filter((one) => applies(verb, one)).map((one) => action(verb, one)) };

  const [first] = monitors;
  return {
    failed,
    entries: [
      ...monitors.map(
        (monitor): Entry => ({
          key: `monitor ${monitor.id}`,
          group: "monitors",
          icon: statusIcons[shownStatus(monitor)],
          label: monitor.name,
          detail: t(`common.status.${shownStatus(monitor)}`),
          run: () => navigate(paths.monitor(monitor.id)),
        }),
      ),
      ...servers.map(
        (server): Entry => ({
          key: `server ${server.id}`,
          group: "servers",
          icon: server.status === "inactive" ? "offline" : hasAlerts(server) ? "alert" : "server",
          label: server.name || server.hostname,
          detail: serverState(server),
          run: () => navigate(paths.agent(server.id)),
        }),
      ),
      ...(first ? verbs.filter((one) => applies(one, first)).map((one) => action(one, first)) : []),
    ],
  };
};
