export const home = {
  title: "服务一有异常，您最先知道",
  subtitle:
    "Wakeful 是自托管的可用性与服务器监控平台。接口是否在线、服务器是否吃紧，一目了然；出了问题，第一时间告警。",
  start: "开始使用",
  learnMore: "了解更多",
  features: "功能",
  monitoring: {
    title: "API 与服务器监控",
    text: "检查网站、API、定时任务、证书与端口，并持续采集服务器的 CPU、内存、磁盘与网络。",
  },
  dashboard: { title: "一屏掌握全局", text: "正常、故障、响应时间与可用率汇于一处，实时更新。" },
  alerts: { title: "可靠的告警", text: "故障与恢复都会通知到您。先重试再判定，不因一次抖动惊扰您。" },
  status: { title: "公开状态页", text: "挑选要公开的服务，几分钟就能发布属于您的状态页。" },
  facts: { data: "数据只在您手里", channels: "20 多种告警渠道", file: "单个可执行文件" },
  /** An example of the dashboard and of an alert. */
  sample: {
    api: "支付接口",
    site: "官网",
    mail: "邮件服务器",
    search: "搜索服务",
    verdict: "1 个监控故障",
    live: "实时",
    reason: "状态码 503，期望 200",
    lasting: "4 分钟",
    cpu: "CPU",
    memory: "内存",
    disk: "磁盘",
    alert: "搜索服务故障",
    alertText: "状态码 503 · 14:05 起",
  },
} as const;
