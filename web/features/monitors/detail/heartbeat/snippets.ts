/** How a job reports, by the name of what runs it. */
export const SNIPPETS = ["cron", "shell", "run", "systemd", "powershell"] as const;
export type SnippetName = (typeof SNIPPETS)[number];

const JOB = "/usr/local/bin/backup.sh";

const HOUR = 3600;
const DAY = 24 * HOUR;

/** The largest divisor of `whole` that is at most `most`: runs at its multiples are equally far apart. */
const divisorWithin = (whole: number, most: number): number => {
  let divisor = Math.max(1, Math.min(whole, Math.floor(most)));
  while (whole % divisor !== 0) divisor--;
  return divisor;
};

const everyNth = (step: number): string => (step === 1 ? "*" : `*/${step}`);

/** A cron expression with a run at least each `seconds`, or as often as cron can. */
export const cronWithin = (seconds: number): string => {
  if (seconds < HOUR) return `${everyNth(divisorWithin(60, seconds / 60))} * * * *`;
  if (seconds < DAY) return `0 ${everyNth(divisorWithin(24, seconds / HOUR))} * * *`;
  if (seconds < 7 * DAY) return "0 3 * * *";
  if (seconds < 31 * DAY) return "0 3 * * 1";
  return seconds < 366 * DAY ? "0 3 1 * *" : "0 3 1 1 *";
};

/** A text to copy for each way to report to a ping address. `isPost`: only POST requests count. */
export const snippetsOf = (address: string, cron: string, isPost: boolean): Record<SnippetName, string> => {
  const curl = `curl -fsS -m 10 --retry 5 -o /dev/null${isPost ? " -X POST" : ""}`;
  const [server = "", token = ""] = address.split(/\/ping\/(?=[^/]*$)/);
  const call = `Invoke-RestMethod -TimeoutSec 10${isPost ? " -Method Post" : ""}`;
  return {
    cron: `${cron} ${JOB}; ${curl} ${address}/$?`,
    shell: [`${curl} ${address}/start`, JOB, `${curl} ${address}/$?`].join("\n"),
    run: `wakeful run ${token} --server ${server} -- ${JOB}`,
    systemd: [
      "[Service]",
      `ExecStartPre=-/usr/bin/${curl} ${address}/start`,
      // systemd turns $$ into $. EXIT_STATUS is the name of a signal if one ended the service.
      `ExecStopPost=-/bin/sh -c '[ "$$SERVICE_RESULT" = success ] && end=0 || end=fail; ${curl} ${address}/$$end'`,
    ].join("\n"),
    powershell: [
      `$ping = "${address}"`,
      `${call} "$ping/start"`,
      'try { & "C:\\Scripts\\backup.ps1"; $end = "0" } catch { $end = "fail" }',
      `${call} "$ping/$end"`,
    ].join("\n"),
  };
};
