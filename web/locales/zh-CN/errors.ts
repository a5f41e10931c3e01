import type { ErrorCode } from "../../../src/core/errors";

/** Errors that no screen shows: they occur for agents and downloads only, or the screen shows the provider's message. */
type Unseen = "provider_refused" | "no_download" | "token_invalid" | "token_used" | "token_expired" | "agent_deleted";
/** Errors of the page itself. */
type PageError = "network" | "timeout" | "not_configuration" | "not_logged_in";
/** Errors of a channel's fields; those of its configuration are with its kind. */
type FieldProblem = "name_required" | "too_long";

type Errors = {
  unknown: string;
  code: Record<Exclude<ErrorCode, Unseen> | PageError | FieldProblem, string>;
  missing: Record<string, string>;
  missingValue: string;
  invalidValue: string;
  field: Record<string, string>;
};

export const errors = {
  unknown: "未知错误",
  code: {
    network: "无法连接服务器，请检查网络后重试",
    timeout: "服务器长时间没有响应，请稍后重试",
    malformed_json: "请求格式不正确",
    unauthorized: "登录已过期，请重新登录",
    forbidden: "您没有权限执行此操作",
    not_found: "内容不存在",
    conflict: "内容与现有数据冲突",
    too_large: "内容过大",
    validation: "有内容填写不正确，请检查",
    invalid_id: "编号无效",
    too_many_streams: "打开的页面过多",
    rate_limited: "尝试次数过多，请稍后再试",
    internal: "服务器出错了，请稍后重试",
    invalid_credentials: "用户名或密码错误",
    username_taken: "用户名已存在",
    email_taken: "邮箱已存在",
    bad_host: "请求格式不正确",
    wrong_host: "服务器不接受这个域名，请使用它的公开地址访问",
    registration_fixed: "服务器的环境变量 REGISTRATION=closed 已固定关闭注册",
    setup_code_required: "创建第一个账号需要设置码，请在服务器的启动日志中查看",
    setup_code_wrong: "设置码不正确，请在服务器的启动日志中查看",
    registration_closed: "注册已关闭",
    not_configuration: "这不是 Wakeful 导出的文件",
    not_logged_in: "用户未登录",
    username_not_allowed: "用户名只能包含同一种文字的字母、数字和标点，不能包含不可见字符或表情符号",
    weak_password: "这个密码太容易被猜到，请避免使用常见密码、自己的用户名或邮箱",
    wrong_password: "当前密码不正确",
    ping_unavailable: "运行 Wakeful 的服务器没有可用的 ping 命令，请安装 iputils-ping，或改为监控端口",
    dependency_cycle: "会形成循环依赖：{{path}}",
    last_admin: "至少要保留一名管理员",
    cannot_delete_self: "不能删除自己的账号",
    alerts_off: "这里的告警已关闭，或没有选择故障通知，演练不会发送任何消息",
    no_recipients: "这里没有选择可用的渠道，演练不会发送任何消息",
    quota_reached: "{{what}}数量已达上限（{{limit}} 个），请先删除不用的，或联系管理员",
    read_only_key: "这个 API 密钥只有只读权限",
    session_required: "API 密钥不能执行此操作，请登录后再试",
    hub_unavailable: "Wakeful 自身暂时无法发出请求（域名解析或系统资源出了问题），本次没有记录结果",
    unavailable: "数据库暂时无法写入，请稍后重试",
    monitor_paused: "这个监控已暂停",
    outage_ended: "这次故障已经结束",
    already_acknowledged: "这次故障已被确认",
    link_invalid: "链接无效，请在 Wakeful 中打开这次故障",
    link_expired: "链接已过期，请在 Wakeful 中打开这次故障",
    tag_exists: "已有同名标签",
    too_many_tags: "标签最多 100 个，请先删除一些",
    template_exists: "这个渠道和事件已有模板",
    too_many_templates: "模板最多 100 个，请先删除一些",
    check_in_progress: "正在检查中，请稍候",
    not_checkable: "该监控项等待任务发送心跳，无法主动检查",
    name_required: "请填写名称",
    too_long: "内容过长",
  },
  missing: {
    name: "请填写名称",
    url: "请填写网址",
    host: "请填写主机名或 IP 地址",
    port: "请填写端口",
    interval: "请填写检查间隔（分钟）",
    timeout: "请填写超时时间（秒）",
    username: "请填写用户名",
    email: "请填写邮箱地址",
    password: "请填写密码",
    confirm: "请再次填写密码",
    setup_code: "请填写设置码",
    current_password: "请填写当前密码",
    new_password: "请填写新密码",
  },
  missingValue: "此项必填",
  invalidValue: "内容无效",
  field: {
    name: "请填写名称，不超过长度限制",
    url: "请填写有效的网址，例如 https://example.com",
    method: "不支持这种请求方法",
    host: "请填写主机名或 IP 地址，不要包含端口",
    config_name: "请填写域名；只有 PTR 记录可填写 IP 地址",
    expect: "请填写该类型的记录，每行一条，最多 20 条",
    server: "请填写 IP 地址，端口不是 53 时加上端口",
    port: "端口须在 1 到 65535 之间",
    interval: "检查间隔须在 1 到 1440 分钟之间",
    timeout: "超时须在 1 到 300 秒之间，且不超过检查间隔",
    expected_status: "请选择有效的状态码",
    headers: "请求头的名称或值无效，或全部请求头合计超过 16 KiB",
    body: "请求体过大或无效",
    retries: "重试次数须在 0 到 5 之间",
    username: "用户名须为 1 到 64 个字符",
    email: "请填写有效的邮箱地址",
    password: "密码须为 8 到 256 个字符",
    title: "标题不能超过 200 个字符",
    description: "描述不能超过 2000 个字符",
    logo_url: "请填写以 https:// 开头的图片地址，或 data: 图片",
    groups: "每个分组都要有名称（最多 100 个字符），最多 50 个分组",
    custom_css: "自定义 CSS 过长",
    current_password: "请填写当前密码",
    new_password: "密码须为 8 到 256 个字符",
    role: "请选择角色",
    scope: "请选择密钥的权限",
  },
} as const satisfies Errors;
