import type { Language } from "../language";

/** Refusals by service, from the codes of its common errors. The text names the service and the code. */
const REFUSALS: readonly (Record<Language, string> & { codes: readonly string[] })[] = [
  {
    codes: ["PostgreSQL 57P03", "MySQL 1053"],
    "en-US": "the {protocol} server is starting up or shutting down ({code})",
    "zh-CN": "{protocol} 服务器正在启动或关闭（{code}）",
  },
  {
    codes: ["PostgreSQL 53300", "MySQL 1040", "SSH MaxStartups"],
    "en-US": "the {protocol} server has too many connections ({code})",
    "zh-CN": "{protocol} 服务器连接数过多（{code}）",
  },
  {
    codes: [
      ...["MySQL 1045", "MySQL 1698", "MySQL 1130", "PostgreSQL 28P01", "PostgreSQL 28000"],
      ...["Redis WRONGPASS", "Redis NOAUTH"],
    ],
    "en-US": "the {protocol} server refuses the login ({code})",
    "zh-CN": "{protocol} 服务器拒绝登录（{code}）",
  },
  {
    codes: ["MySQL authentication", "PostgreSQL authentication"],
    "en-US": "the {protocol} server asks for a way of signing in that is not supported",
    "zh-CN": "{protocol} 服务器要求的登录方式不受支持",
  },
  {
    codes: ["MySQL 1129"],
    "en-US": "the {protocol} server blocks this address after too many failed connections ({code})",
    "zh-CN": "{protocol} 服务器因失败的连接过多而屏蔽了此地址（{code}）",
  },
  {
    codes: ["Redis max number of clients"],
    "en-US": "the {protocol} server takes no more connections ({code})",
    "zh-CN": "{protocol} 服务器不再接受连接（{code}）",
  },
  {
    codes: ["Redis LOADING"],
    "en-US": "the {protocol} server is still loading its data ({code})",
    "zh-CN": "{protocol} 服务器仍在加载数据（{code}）",
  },
  {
    codes: ["Redis DENIED"],
    "en-US": "the {protocol} server is in protected mode and refuses other machines ({code})",
    "zh-CN": "{protocol} 服务器处于保护模式，拒绝其他机器连接（{code}）",
  },
  {
    codes: ["Redis MISCONF"],
    "en-US": "the {protocol} server cannot save its data ({code})",
    "zh-CN": "{protocol} 服务器无法保存数据（{code}）",
  },
  {
    codes: ["Redis MASTERDOWN"],
    "en-US": "the {protocol} server has lost its primary server ({code})",
    "zh-CN": "{protocol} 服务器与主服务器断开（{code}）",
  },
  {
    codes: ["Redis BUSY"],
    "en-US": "the {protocol} server is busy with a script ({code})",
    "zh-CN": "{protocol} 服务器忙于执行脚本（{code}）",
  },
  {
    codes: ["SMTP 421", "FTP 421"],
    "en-US": "the {protocol} server accepts no more connections for now ({code})",
    "zh-CN": "{protocol} 服务器暂不接受更多连接（{code}）",
  },
  {
    codes: ["SMTP 554"],
    "en-US": "the {protocol} server refuses connections from here ({code})",
    "zh-CN": "{protocol} 服务器拒绝来自此处的连接（{code}）",
  },
];

/** The words for a common error of a service; undefined for a code that only its manual explains. */
export const refusalText = (protocol: unknown, code: unknown, language: Language): string | undefined =>
  REFUSALS.find(({ codes }) => codes.includes(`${protocol} ${code}`))?.[language];
