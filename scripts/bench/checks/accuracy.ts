import { signIn } from "../lib/client";
import { seed, setUrls } from "../lib/seed";
import { median, remove, round, startServer, startTargets, temporaryDirectory } from "../lib/server";

const DELAYS = [0, 20, 200];
const ROUNDS = 15;

const curl = async (url: string): Promise<number> =>
  Number(await Bun.$`curl -s -o /dev/null -w %{time_total} ${url}`.text()) * 1000;

/** The response time of a manual check, which is refused for a second after the one before. */
const check = async (url: string, token: string): Promise<number> => {
  for (; ; await Bun.sleep(100)) {
    const response = await fetch(url, { method: "POST", headers: { authorization: `Bearer ${token}` } });
    const body = (await response.json()) as { check: { response_time: number } };
    if (response.ok) return body.check.response_time;
    if (response.status !== 429) throw new Error(`${url} answered ${response.status}`);
  }
};

/** Response times of manual checks and curl's `time_total`, alternating: medians in milliseconds. */
const compare = async (url: string, token: string, targets: string[]) => {
  const rows: { delay: number | undefined; wakeful: number; curl: number }[] = [];
  for (const [index, target] of targets.entries()) {
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await check(`${url}/api/monitors/${index + 1}/check`, token));
      theirs.push(await curl(target));
    }
    rows.push({ delay: DELAYS[index], wakeful: round(median(ours), 2), curl: round(median(theirs), 2) });
  }
  return rows;
};

/** Compares response times with curl's on targets that take 0, 20 and 200 ms, idle and during 500 checks a second. */
export const bench = async (): Promise<object> => {
  const answers: Record<string, object> = {};
  for (const [name, monitors] of [
    ["quiet", DELAYS.length],
    ["at_500_checks_a_second", 30_000],
  ] as const) {
    const dataDir = temporaryDirectory();
    const others = await startTargets({ ports: 8 });
    const targets = await Promise.all(DELAYS.map((delay) => startTargets({ ports: 1, delay })));
    const urls = targets.map((target) => target.urls[0] ?? "");
    await seed(dataDir, { monitors, interval: 60, urls: others.urls });
    setUrls(dataDir, (id) => urls[id - 1] ?? null);
    const server = await startServer(dataDir);
    await Bun.sleep(10_000);
    answers[name] = await compare(server.url, await signIn(server.url), urls);
    await server.stop();
    for (const target of [others, ...targets]) target.stop();
    remove(dataDir);
  }
  return answers;
};
