import type { Language } from "../../../../../shared/language";
import { type ChannelMessage, COLOURS, type Severity, severityOf } from "../../kind";

type Words = { states: Record<Severity, string>; drill: string; open: string };

const WORDS: Record<Language, Words> = {
  "en-US": {
    states: { critical: "Outage", warning: "Warning", resolved: "Resolved", info: "Notice" },
    drill: "Drill",
    open: "Open in Wakeful",
  },
  "zh-CN": {
    states: { critical: "故障", warning: "警告", resolved: "已恢复", info: "通知" },
    drill: "演练",
    open: "在 Wakeful 中查看",
  },
};

/** The word of a state on its background, as the web interface has them in its light and its dark theme. */
const STATES: Record<
  Severity,
  { light: [text: string, background: string]; dark: [text: string, background: string] }
> = {
  critical: { light: ["#b3213a", "#fdecee"], dark: ["#ff929d", "#3b1a21"] },
  warning: { light: ["#825300", "#fdf3dc"], dark: ["#f3c566", "#362a10"] },
  resolved: { light: ["#0f7043", "#e5f6ed"], dark: ["#5fdba3", "#12301f"] },
  info: { light: ["#4c3ec9", "#eeecfc"], dark: ["#b0a7ff", "#262244"] },
};

const FONT =
  "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','PingFang SC','Microsoft YaHei','Noto Sans CJK SC',Arial,sans-serif";

/** Inline styles are the light theme, which mail clients without media queries show; only rules with `!important` override them. */
const darkStyle = ([text, background]: readonly [string, string]): string =>
  `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${[
    ".page{background:#111019!important}",
    ".card{background:#191823!important;border-right-color:#2b2a3a!important;border-bottom-color:#2b2a3a!important;border-left-color:#2b2a3a!important}",
    ".title,.line{color:#ebeaf4!important}",
    ".foot,.soft{color:#a5a3ba!important}",
    ".rule{border-color:#2b2a3a!important}",
    ".bad{color:#ff929d!important}",
    `.state{color:${text}!important;background:${background}!important}`,
    ".main{background:#6656e8!important}",
    ".other{background:#191823!important;border-color:#434158!important}",
    ".other a{color:#b0a7ff!important}",
  ].join(
    "",
  )}}@media (max-width:480px){.button{display:block!important;margin:0 0 10px!important}.wide{display:none!important}}`;

const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';

/** A link as a button: the cell has the colour, because some mail clients ignore the background of a link. */
const button = (label: string, url: string, isMain: boolean): string => {
  const [name, cell, text] = isMain
    ? ["main", "background:#5546d6;border:1px solid #5546d6", "#ffffff"]
    : ["other", "background:#ffffff;border:1px solid #cfcfdd", "#4c3ec9"];
  return (
    `<table class="button" ${TABLE} style="display:inline-block;vertical-align:top;margin:0 10px 10px 0"><tr>` +
    `<td class="${name}" style="${cell};border-radius:8px">` +
    `<a href="${Bun.escapeHTML(url)}" style="display:inline-block;padding:11px 20px;color:${text};font-size:15px;` +
    `font-weight:600;line-height:20px;text-decoration:none">${Bun.escapeHTML(label)}</a></td></tr></table>`
  );
};

/** Digests begin the lines of each state with its symbol. */
const GROUP = /^\p{Extended_Pictographic}/u;

type Document = {
  language: Language;
  title: string;
  severity: Severity;
  /** The word above the title, on the colour of the severity. */
  state: string;
  /** HTML. */
  content: string;
  /** Links as buttons, the main one first. */
  buttons: readonly { label: string; url: string }[];
  /** HTML, below everything. */
  foot: string;
};

/** A mail as an HTML document, without anything that a mail client would have to load. */
export const mailDocument = ({ language, title, severity, state, content, buttons, foot }: Document): string => {
  const { light, dark } = STATES[severity];
  const rendered = buttons.map(({ label, url }, index) => button(label, url, index === 0));
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${Bun.escapeHTML(title)}</title><style>${darkStyle(dark)}</style></head>`,
    `<body class="page" style="margin:0;padding:0;background:#f8f8fb;${FONT}">`,
    // The language again, because many mail clients drop the elements around the body's content.
    `<table lang="${language}" class="page" ${TABLE} width="100%" style="background:#f8f8fb;${FONT}"><tr><td align="center" style="padding:24px 12px">`,
    `<table ${TABLE} width="560" style="width:100%;max-width:560px;table-layout:fixed"><tr>`,
    `<td class="card" align="left" style="padding:24px;background:#ffffff;border:1px solid #e5e5ee;border-top:4px solid ${COLOURS[severity]};border-radius:10px;overflow-wrap:anywhere;word-break:break-word">`,
    `<span class="state" style="display:inline-block;padding:3px 10px;border-radius:6px;font-size:13px;font-weight:600;line-height:18px;color:${light[0]};background:${light[1]}">${state}</span>`,
    `<h1 class="title" style="margin:12px 0 16px;color:#1c1a2b;font-size:20px;font-weight:700;line-height:1.35">${Bun.escapeHTML(title)}</h1>`,
    content,
    rendered.length > 0 ? `<div style="margin:20px 0 -10px;font-size:0">${rendered.join("")}</div>` : "",
    '</td></tr><tr><td class="foot" align="left" style="padding:14px 24px;color:#5d5b72;font-size:13px;line-height:18px">',
    foot,
    "</td></tr></table></td></tr></table></body></html>",
  ].join("");
};

/** The label of the button that opens a page of the hub. */
export const openLabel = (language: Language): string => WORDS[language].open;

/** The text below a mail, which names its hub. */
export const footOf = (link: string | null): string =>
  `Wakeful${link ? ` · ${Bun.escapeHTML(new URL(link).host)}` : ""}`;

/** A message as a mail. */
export const mailHtml = (message: ChannelMessage): string => {
  const { title, lines, link, action, language, event } = message;
  const words = WORDS[language];
  const severity = event?.drill ? "info" : severityOf(message);
  const rows = lines.map(
    (line, index) =>
      `<p class="line" style="margin:${index > 0 && GROUP.test(line) ? 20 : 0}px 0 8px;color:#1c1a2b;font-size:15px;line-height:1.5;white-space:pre-wrap">` +
      `${Bun.escapeHTML(line) || "&nbsp;"}</p>`,
  );
  return mailDocument({
    ...{ language, title, severity, content: rows.join("") },
    state: event?.drill ? words.drill : words.states[severity],
    buttons: [...(link ? [{ label: words.open, url: link }] : []), ...(action ? [action] : [])],
    foot: footOf(link),
  });
};
