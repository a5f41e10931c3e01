import { afterAll, expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { serveHostileHub } from "./lib/hostile-hub";
import { installConsole } from "./lib/hub";
import { until } from "./lib/until";

const installation = installConsole();
afterAll(installation.remove);

const strace = Bun.which("strace");

/** Whether this system lets one process trace another, which some containers forbid. */
const canTrace = strace !== null && Bun.spawnSync([strace, "-qq", "-o", "/dev/null", "true"]).exitCode === 0;

/** Orders of a malicious hub: every field but success, accepted, live and seconds must have no effect. */
const ORDERS = {
  ...{ update: "https://127.0.0.1:9/wakeful", url: "file:///etc/shadow", version: "99.0.0", sha256: "0".repeat(64) },
  ...{ command: "touch /tmp/hacked", exec: ["sh", "-c", "id"], script: "$(id)", eval: "process.exit(1)" },
  ...{ file: "/etc/shadow", state: "/etc", server: "http://127.0.0.1:9/", key: "wka_other", token: "wkt_other" },
  ...{ interval: 0, containers: "/var/run/docker.sock", plugins: ["/tmp/hacked.so"], __proto__: { live: true } },
};

const ANSWERS: (() => Response)[] = [
  () => Response.json({ success: true, accepted: 1e9, live: true, seconds: 60, ...ORDERS }),
  () => Response.json({ success: true, accepted: "../../etc/passwd", live: ORDERS, seconds: ["sh"], ...ORDERS }),
  () => new Response(null, { status: 307, headers: { location: "http://127.0.0.1:9/api/agents/report" } }),
  () =>
    new Response(null, {
      status: 302,
      headers: { location: "file:///etc/shadow", refresh: "0; url=http://127.0.0.1:9/" },
    }),
  () =>
    Response.json(
      { success: false, code: "$(touch /tmp/hacked)", message: "\x1b]0;x\x07".repeat(1000) },
      { status: 400 },
    ),
  () => new Response("<script src=http://127.0.0.1:9/></script>".repeat(5000), { status: 502 }),
  () => new Response("{".repeat(200_000)),
  () => Response.json([null, ORDERS], { headers: { "set-cookie": "a=b", link: "<http://127.0.0.1:9/>; rel=preload" } }),
  () => new Response(Bun.gzipSync(Buffer.alloc(1_000_000)), { headers: { "content-encoding": "gzip" } }),
];

// The agent accepts every second answer, so that both of its calls continue.
const nonsense = (nth: number) => (ANSWERS[nth % 2 === 0 ? 0 : ((nth - 1) / 2) % ANSWERS.length] as () => Response)();

/** The calls that open, change or start something, with what each names. */
const CALLS =
  "open,openat,openat2,creat,execve,execveat,connect,bind,listen,unlink,unlinkat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,chmod,fchmodat,mkdir,mkdirat,ptrace,mount";

const subjectOf = (line: string): string => {
  const [, name = "", rest = ""] = /^\d+ +(\w+)\((.*)/.exec(line) ?? [];
  if (name === "") return "";
  if (name === "connect" || name === "bind") return `${name} ${/^\d+, (\{.*?\})/.exec(rest)?.[1] ?? rest}`;
  return `${name.replace(/(at2?|ve(at)?)$/, "")} ${/"((?:[^"\\]|\\.)*)"/.exec(rest)?.[1] ?? rest}`;
};

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

it.if(process.platform === "linux" && canTrace)(
  "an agent opens, connects to and starts nothing beyond its list, whatever a hub answers",
  async () => {
    const hub = serveHostileHub(nonsense);
    const trace = join(installation.folder, "trace");
    const state = join(installation.folder, "state");
    const agent = Bun.spawn(
      [
        ...[strace as string, "-f", "-qq", "-s", "500", "-e", `trace=${CALLS}`, "-o", trace],
        ...[installation.executable, "agent", "start"],
      ],
      {
        cwd: installation.folder,
        env: {
          PATH: process.env.PATH ?? "",
          BUN_JSC_useJIT: "0",
          WAKEFUL_SERVER: `http://127.0.0.1:${hub.port}`,
          WAKEFUL_TOKEN: "wkt_token",
          WAKEFUL_STATE: state,
          WAKEFUL_INTERVAL: "1",
        },
        stdout: "ignore",
        stderr: "ignore",
      },
    );
    // strace itself takes no signal while what it has started runs.
    const signal = (name: NodeJS.Signals) => process.kill(Number.parseInt(readFileSync(trace, "utf8"), 10), name);
    try {
      const asked = (path: string) => hub.seen.filter((one) => one === path).length;
      const isEnough = async () => hub.seen.length >= 2 * ANSWERS.length && asked("/api/agents/live") >= 3;
      await until("both calls to have had their answers", isEnough, 80_000);
      signal("SIGTERM");
      expect(await agent.exited).toBe(0);
    } finally {
      if (agent.exitCode === null) signal("SIGKILL");
      await hub.stop();
    }

    const allowed = [
      // The program itself, which starts a second time with other settings of its runtime, and the commands of figures.
      `exec ${literal(installation.executable)}`,
      "exec \\S*/(systemctl|nvidia-smi)",
      // Its own files.
      `(open|unlink|rename|mkdir|chmod|fchmod) ${literal(state)}(/(agent\\.json|secret|status\\.json|samples|writable)(\\.new)?)?`,
      // The hub, and the kernel's list of addresses.
      `connect \\{sa_family=AF_INET, sin_port=htons\\(${hub.port}\\), sin_addr=inet_addr\\("127\\.0\\.0\\.1"\\)\\}`,
      "bind \\{sa_family=AF_NETLINK, .*",
      // Facts of the kernel and the system, the time zone, and the libraries of the program.
      "open /proc(/(\\d+/(stat|statm|comm|mountinfo|cgroup)|self/(auxv|cgroup|maps|mountinfo|stat|statm)|net/\\w+))?",
      "open /proc/(spl/.*|sys/(vm|kernel)/.*|diskstats|loadavg|mdstat|meminfo|stat|uptime|cpuinfo)",
      "open /sys/(block|class/(hwmon|thermal|drm|net)|devices|fs/cgroup|kernel/mm)(/.*)?",
      "open /(etc|usr/lib)/(os-release|localtime|ld\\.so\\.cache|ld\\.so\\.preload)",
      "open /usr/share/zoneinfo/.*",
      "open (/usr)?/lib(64)?/.*\\.so[.\\d]*",
      "open /dev/(null|urandom)",
      "open /run/(reboot-required|systemd/.*)",
    ].map((pattern) => new RegExp(`^${pattern}$`));
    const subjects = new Set(readFileSync(trace, "utf8").split("\n").map(subjectOf).filter(Boolean));
    expect([...subjects].filter((subject) => !allowed.some((pattern) => pattern.test(subject)))).toEqual([]);
    expect([...subjects].some((subject) => subject.startsWith("connect "))).toBe(true);
  },
  120_000,
);

it.if(!canTrace)("strace cannot run here, so what an agent opens is not checked", () => {
  console.warn("strace is missing, or this system forbids tracing: what an agent opens was not checked.");
});
