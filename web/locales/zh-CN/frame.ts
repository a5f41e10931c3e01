/** Texts around the screens of the console, which pages of their own do without. They are part of `common`. */
export const frame = {
  connection: {
    asOf: "离线，数据截至 {{time}}。",
    missing: "暂时连不上服务器，恢复连接后会自动打开。",
    outdated: "已安装新版本，请重新加载。",
  },
  crash: {
    title: "Unexpected Application Error!",
    text: "页面遇到了意外错误。重新加载通常可以恢复；如果反复出现，请把下面的信息告诉管理员。",
  },
  notFound: { title: "页面不存在", text: "您访问的地址没有对应的页面，可能已被移动或删除。" },
  loading: "正在加载",
  loadingSlow: "加载时间比平时长。",
  optional: "选填",
  none: "无",
  action: {
    refresh: "刷新",
    cancel: "取消",
    close: "关闭",
    save: "保存",
    saving: "正在保存…",
    edit: "编辑",
    delete: "删除",
    deleting: "正在删除…",
    view: "查看",
    more: "更多操作",
    backHome: "返回首页",
    toDashboard: "打开仪表盘",
  },
  of: "{{used}} / {{total}}",
  owner: "{{name}} 的",
  ownerTitle: "属于 {{name}}",
} as const;
