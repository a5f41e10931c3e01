/** A report as a mail: as HTML with inline styles, without scripts and images, and as text. */
import type { Language } from "../../../shared/language";
import { footOf, mailDocument, openLabel } from "../../alerting/channels/kinds/mail/html";
import type { Report } from "../report";
import type { Texts } from "./texts";

type Row = Report["rows"][number];

const INK = "color:#1c1a2b";
const SOFT = "color:#5d5b72";
const BAD = "color:#b3213a";
const LINE = `${INK};font-size:15px;line-height:1.5`;
const CELL = "padding:7px 10px 7px 0;border-top:1px solid #e5e5ee;font-size:14px;line-height:1.4;vertical-align:top";
const TABLE = 'cellpadding="0" cellspacing="0" border="0" width="100%" style="width:100%;border-collapse:collapse"';

const escaped = (text: string): string => Bun.escapeHTML(text);
const heading = (text: string): string =>
  `<h2 class="title" style="margin:24px 0 8px;${INK};font-size:16px;font-weight:700;line-height:1.35">${escaped(text)}</h2>`;

type Tone = "line" | "soft" | "bad";
const COLOURS: Record<Tone, string> = { line: INK, soft: SOFT, bad: BAD };
/** Figures stay on one line, names do not; `isWide`: hidden on narrow screens. */
const cell = (html: string, tone: Tone, { isFigure = false, isWide = false } = {}): string =>
  `<td class="rule ${tone}${isWide ? " wide" : ""}" ${isFigure ? 'align="right"' : ""} style="${CELL};${COLOURS[tone]}${isFigure ? ";white-space:nowrap" : ""}">${html}</td>`;

const FIGURES = ["uptime", "outages", "down", "p95"] as const;

/** The figures of a target as texts, in the order of FIGURES. */
const figuresOf = (row: Row, { uptime, number, duration, milliseconds }: Texts): string[] => [
  uptime(row.uptime),
  number(row.outages),
  row.down_seconds > 0 ? duration(row.down_seconds) : "–",
  milliseconds(row.p95),
];

const rowOf = (row: Row, texts: Texts): string => {
  const isMissed = row.target !== null && !row.target.met && row.uptime !== null;
  const [uptime = "", ...others] = figuresOf(row, texts);
  return `<tr>${[
    cell(escaped(texts.name(row.target_name)), "line"),
    cell(`<strong>${escaped(uptime)}</strong>`, isMissed ? "bad" : "line", { isFigure: true }),
    ...others.map((text, index) =>
      cell(escaped(text), "line", { isFigure: true, isWide: index === others.length - 1 }),
    ),
  ].join("")}</tr>`;
};

const tableOf = ({ rows, targets }: Report, texts: Texts): string => {
  const { words } = texts;
  const head = (["name", ...FIGURES] as const).map(
    (column, index) =>
      `<th class="soft${column === "p95" ? " wide" : ""}" align="${index === 0 ? "left" : "right"}" style="padding:0 10px 6px 0;${SOFT};font-size:13px;font-weight:600;white-space:nowrap">${escaped(words.columns[column])}</th>`,
  );
  const rest = targets.counted - rows.length;
  const more =
    rest > 0
      ? `<p class="soft" style="margin:8px 0 0;${SOFT};font-size:13px">${escaped(words.moreTargets(rest))}</p>`
      : "";
  return `<table ${TABLE}><tr>${head.join("")}</tr>${rows.map((row) => rowOf(row, texts)).join("")}</table>${more}`;
};

/** The day, the length and the reason of an outage. */
const outageText = (outage: Report["outages"][number], { words, date, duration, reason, join }: Texts): string =>
  join([date(outage.started_at), words.lasted(duration(outage.seconds)), reason(outage)].filter(Boolean));

const itemOf = (title: string, text: string): string =>
  `<p class="line" style="margin:0 0 8px;${LINE}">${title ? `<strong>${escaped(title)}</strong><br>` : ""}<span class="soft" style="${SOFT};font-size:14px">${escaped(text)}</span></p>`;

type Parts = { texts: Texts; heading: string; lines: readonly string[]; link: string | null; language: Language };

/** A report as the HTML and the text of a mail. */
export const renderMail = (
  report: Report,
  { texts, heading: title, lines, link, language }: Parts,
): { html: string; text: string } => {
  const { words, name, upcoming } = texts;
  const foot = words.foot(report.zone, texts.date(report.now));
  const hasTable = report.rows.length > 1;
  const content = [
    ...lines.map((line) => `<p class="line" style="margin:0 0 8px;${LINE}">${escaped(line)}</p>`),
    ...(hasTable ? [`<div style="margin-top:20px">${tableOf(report, texts)}</div>`] : []),
    ...(report.outages.length > 0
      ? [
          heading(words.longestOutages),
          ...report.outages.map((one) => itemOf(name(one.target_name), outageText(one, texts))),
        ]
      : []),
    ...(report.upcoming.length > 0
      ? [heading(words.upcoming), ...report.upcoming.map((one) => itemOf("", upcoming(one)))]
      : []),
  ];
  const textLines = [
    ...lines,
    ...(hasTable
      ? [
          "",
          ...report.rows.map((row) =>
            texts.words.labelled(
              name(row.target_name),
              FIGURES.map((column, index) => `${words.columns[column]} ${figuresOf(row, texts)[index]}`).join(" · "),
            ),
          ),
        ]
      : []),
    ...(report.outages.length > 0
      ? [
          "",
          words.longestOutages,
          ...report.outages.map((one) => `- ${words.labelled(name(one.target_name), outageText(one, texts))}`),
        ]
      : []),
    ...(report.upcoming.length > 0 ? ["", words.upcoming, ...report.upcoming.map((one) => `- ${upcoming(one)}`)] : []),
    "",
    foot,
    ...(link ? [link] : []),
  ];
  return {
    html: mailDocument({
      ...{ language, title, severity: "info", state: escaped(words.state), content: content.join("") },
      buttons: link ? [{ label: openLabel(language), url: link }] : [],
      foot: `${footOf(link)}<br>${escaped(foot)}`,
    }),
    text: textLines.join("\n"),
  };
};
