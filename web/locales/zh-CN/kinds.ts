/** What can be watched, each kind under its name in the API. */
export const kinds = {
  choose: "要监控什么？",
  preset: "服务",
  http: {
    label: "HTTP",
    question: "网站或 API",
    hint: "请求一个网址，检查返回的内容和响应时间。",
  },
  heartbeat: {
    label: "心跳",
    question: "定时任务或备份",
    hint: "任务运行时主动上报；没有按时上报就通知您。",
  },
  ping: {
    label: "Ping",
    question: "主机或设备",
    hint: "向服务器、路由器、打印机等发送 Ping。",
  },
  tcp: {
    label: "TCP 端口",
    question: "其他端口",
    hint: "SSH、FTP、MQTT，或任何接受 TCP 连接的服务。",
    mail: { question: "邮件服务器", hint: "SMTP、IMAP 或 POP3，加密或不加密均可。" },
    database: { question: "数据库或缓存", hint: "PostgreSQL、MySQL、MariaDB、Redis，无需密码。" },
  },
  tls: {
    label: "证书",
    question: "证书",
    hint: "在任意端口的证书过期之前提醒；网站监控已包含此项。",
    begin: "TLS 的开始方式",
    direct: "连接后立即开始",
    after: "STARTTLS 之后（{{protocol}}）",
    serverName: "服务器名称",
    serverNameHint: "证书上的名称，与主机名不同时填写。",
    fingerprint: "SHA-256 指纹",
    fingerprintHint: "在过期之前只接受这一个证书，例如自签名证书；留空则验证颁发者和名称。",
  },
  certificate: {
    days: "证书过期前提醒",
    daysHint: "天数，例如 21, 7, 1；每个证书在每个时间点只提醒一次，留空则不提醒。",
    never: "不提醒",
  },
  dns: {
    label: "DNS 记录",
    question: "DNS 记录",
    hint: "查询一个域名，并与预期的记录比较。",
  },
  websocket: {
    label: "WebSocket",
    question: "WebSocket",
    hint: "建立连接，还可以发送消息并等待回复。",
  },
  grpc: {
    label: "gRPC",
    question: "gRPC 服务",
    hint: "调用服务器的标准健康检查。",
  },
} as const;
