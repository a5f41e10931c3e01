import type { ErrorCode } from "../../../../src/core/errors";
import type { firstErrors } from "./first";

/** Errors that no screen shows: they occur for agents, jobs and downloads only, or the screen shows the provider's message. */
type Unseen =
  | "provider_refused"
  | "no_download"
  | "token_invalid"
  | "token_used"
  | "token_expired"
  | "agent_deleted"
  | "slug_ambiguous"
  | "insufficient_scope"
  | "page_password_required"
  | "page_members_only";
/** Errors of the page itself. */
type PageError = "network" | "timeout" | "not_configuration" | "not_logged_in" | "passkey_cancelled" | "passkey_exists";
/** Field errors. Each kind of channel has the errors of its own fields. */
type FieldProblem =
  | "cron_unknown"
  | "cron_never"
  | "slug_taken"
  | "name_required"
  | "too_long"
  | "window_never"
  | "window_empty"
  | "window_too_long"
  | "window_too_often"
  | "window_overlaps"
  | "date_unknown"
  | "zone_unknown";

type Errors = {
  code: Record<Exclude<ErrorCode | PageError | FieldProblem, Unseen | keyof typeof firstErrors.code>, string>;
  missing: Record<string, string>;
  field: Record<string, string>;
};

/** The errors of all other screens; those of the first visit are in first.ts. */
export const screenErrors = {
  code: {
    outage_ended: "这次故障已经结束",
    already_acknowledged: "这次故障已被确认",
    link_invalid: "链接无效，请在 Wakeful 中打开这次故障",
    link_expired: "链接已过期，请在 Wakeful 中打开这次故障",
    conflict: "内容与现有数据冲突",
    too_many_streams: "打开的页面过多",
    registration_fixed: "服务器的环境变量 REGISTRATION=closed 已固定关闭注册",
    sign_in_expired: "本次登录已过期，请重新输入密码",
    setup_expired: "本次设置已过期，请重新开始",
    proof_required: "请先确认是您本人",
    wrong_code: "验证码不正确",
    code_used: "这个验证码已经用过，请等待下一个",
    clock_off: "这是几分钟前或几分钟后的验证码。请输入当前的验证码；如果仍不正确，说明手机或服务器的时间不准。",
    second_factor_required: "请先为账号开启两步验证",
    no_second_factor: "您的账号还没有开启两步验证",
    passkeys_unavailable: "通行密钥只能在使用域名的 https 地址下使用",
    too_many_passkeys: "最多可以添加 10 个通行密钥，请先移除一个",
    wrong_passkey: "通行密钥未通过验证，请重试",
    passkey_copied: "通行密钥被拒绝：它的使用次数比之前少，可能已被复制。请将其移除后重新添加",
    passkey_cancelled: "操作已取消，或设备没有响应",
    passkey_exists: "这台设备上已有此账号的通行密钥",
    invalid_id: "编号无效",
    not_configuration: "这不是 Wakeful 导出的文件",
    wrong_password: "当前密码不正确",
    rdap_unavailable: "该域名的注册局不提供 RDAP 查询，无法监控到期时间",
    registry_unavailable: "注册局暂时没有应答，本次没有记录结果，请稍后再试",
    ping_unavailable: "控制台所在服务器没有可用的 ping 命令，请安装 iputils-ping，或改为监控端口",
    dependency_cycle: "会形成循环依赖：{{path}}",
    password_login_off: "这里不能使用密码或通行密钥登录",
    proxy_required: "反向代理没有提供您的身份，请通过公开地址访问。",
    no_account: "这里没有您的账号，请联系管理员。",
    oidc_expired: "登录超时，或不是在这个浏览器中开始的，请重新登录。",
    oidc_failed: "登录未被接受，管理员可以在日志中查看原因。",
    oidc_unreachable: "暂时无法连接登录服务，请稍后重试",
    identity_taken: "这个登录身份已关联其他账号",
    password_required: "您的账号没有密码，取消关联后将无法登录",
    reset_link_invalid: "链接已失效，请重新申请",
    mail_not_set_up: "这里没有配置邮件服务，请联系管理员设置新密码",
    no_email: "您的账号没有邮箱，请先在个人资料中填写",
    last_admin: "至少要保留一名管理员",
    cannot_delete_self: "不能删除自己的账号",
    links_would_end: "与所在团队其他内容的关联会被解除",
    invitation_invalid: "邀请已失效，请对方重新邀请",
    last_owner: "团队至少要有一名所有者，请先将其他成员设为所有者，或删除团队",
    personal_team: "这是账号自带的团队，不能删除，账号本人始终是所有者",
    already_member: "您已经是该团队的成员",
    too_many_teams: "团队数量已达上限，请先退出或删除一个",
    too_many_members: "一个团队最多 100 名成员",
    too_many_invitations: "一个团队最多 50 个待接受的邀请，请先撤销一些",
    alerts_off: "这里的告警已关闭，或没有选择故障通知，演练不会发送任何消息",
    rule_changed: "打开之后，这些设置已在别处修改",
    no_recipients: "这里没有选择可用的渠道，演练不会发送任何消息",
    quota_reached: "{{what}}数量已达上限（{{limit}} 个），请先删除不用的，或联系管理员",
    read_only_key: "这个 API 密钥只有只读权限",
    role_insufficient: "您在这个团队中的角色无权执行此操作",
    session_required: "API 密钥不能执行此操作，请登录后再试",
    hub_unavailable: "控制台自身暂时无法发出请求（域名解析或系统资源出了问题），本次没有记录结果",
    monitor_paused: "这个监控已暂停",
    too_many_matches: "符合条件的监控超过 1000 个，请缩小筛选范围",
    tag_exists: "已有同名标签",
    too_many_windows: "维护窗口最多 200 个，请先删除一些",
    too_many_pages: "每个团队最多 50 个状态页，请先删除一些",
    address_taken: "该地址已被占用，请换一个",
    domain_taken: "已有状态页使用该域名",
    domain_own: "这是 Wakeful 自身的地址，请使用其他域名",
    domain_without_public_url: "未设置 PUBLIC_URL 时，只有管理员可以添加域名",
    domain_invalid: "请输入域名，例如 status.example.com",
    too_many_incidents: "未解决的事件最多 500 个，请先解决一些",
    too_many_updates: "一个事件最多 200 条更新",
    no_mail_subscriptions: "此页面不发送邮件，可以用 Webhook 或订阅源订阅",
    too_many_subscribers: "此页面的订阅人数已满",
    too_many_incident_texts: "事件模板最多 100 个，请先删除一些",
    incident_changed: "您打开之后，此事件已被修改。您写的内容仍保留，请先查看改动再保存",
    too_many_report_schedules: "定期报告最多 10 个，请先删除一些",
    no_report_channels: "所选渠道都无法使用，报告发不出去",
    too_many_report_links: "报告链接最多 50 个，请先撤销一些",
    too_many_tags: "标签最多 100 个，请先删除一些",
    template_exists: "这个渠道和事件已有模板",
    test_too_soon: "每秒只能发送一条测试消息，请稍后再试",
    import_refused: "无法用这个密钥读取来源：请检查密钥，以及本站能否访问它",
    import_unreadable: "无法读取这个文件：可能已损坏、被加密，或来自未知的版本",
    import_unknown: "认不出这个文件，请选择列表中支持的一种",
    slug_taken: "该短名已被其他心跳使用",
    ping_key_taken: "该上报密钥已被其他团队使用",
    too_many_ping_keys: "上报密钥最多 20 个，请先吊销一些",
    too_many_walls: "大屏地址最多 20 个，请先吊销一些",
    too_many_templates: "模板最多 100 个，请先删除一些",
    threshold_exists: "相同的服务器和指标已有阈值",
    too_many_objectives: "可用率目标最多 1000 个，请先删除一些",
    too_many_thresholds: "阈值最多 200 个，请先删除一些",
    check_in_progress: "正在检查中，请稍候",
    method_not_allowed: "此地址不接受该请求方法",
    post_only: "该心跳只接受 POST 请求",
    not_checkable: "该监控等待任务上报，无法主动检查",
    window_never: "请至少选择一天",
    window_empty: "结束时间要晚于开始时间",
    window_too_long: "最多 7 天",
    window_too_often: "每小时最多开始一次",
    window_overlaps: "时长要短于到下一次开始的间隔",
    date_unknown: "没有这个日期",
    zone_unknown: "没有这个时区，请从列表中选择",
    cron_unknown: "无法识别。请输入五个字段（分、时、日、月、星期），或 @daily 等名称",
    cron_never: "这样的日期不存在，例如 2 月 30 日",
    name_required: "请填写名称",
    too_long: "内容过长",
  },
  missing: {
    assertions: "请补全条件：路径或响应头名称，以及用来比较的值",
    name: "请填写名称",
    url: "请填写网址",
    host: "请填写主机名或 IP 地址",
    config_name: "请填写要查询的名称",
    port: "请填写端口",
    interval: "请填写检查间隔（分钟）",
    timeout: "请填写超时时间（秒）",
    current_password: "请填写当前密码",
    new_password: "请填写新密码",
  },
  field: {
    plan_quota: "请输入大于 0、不超过 1,024 TB 的数字",
    plan_reset_day: "请输入 1 到 31 之间的日期",
    plan_zone: "请输入时区名称，例如 Asia/Shanghai",
    plan_correction: "请输入 GB 数，例如 120 或 -5",
    plan_ends_on: "请输入到期日",
    plan_price: "请输入不小于 0 的数字",
    plan_currency: "请输入三个字母，例如 CNY",
    plan_note: "最多输入 500 个字符",
    name: "请填写名称，不超过长度限制",
    url: "请填写有效的网址，例如 https://example.com",
    method: "不支持这种请求方法",
    host: "请填写主机名或 IP 地址，不要包含端口",
    config_name: "请填写域名；只有 PTR 记录可填写 IP 地址",
    expect: "请填写该类型的记录，每行一条，最多 20 条",
    server: "请填写 IP 地址，端口不是 53 时加上端口",
    port: "端口须在 1 到 65535 之间",
    certificate_days: "天数须为 1 到 365，最多 10 个",
    days: "天数须为 1 到 365，最多 10 个",
    fingerprint: "指纹由 64 位 0-9、a-f 组成",
    interval: "检查间隔须在 1 到 1440 分钟之间",
    timeout: "超时须在 1 到 300 秒之间，且不超过检查间隔",
    expected_status: "请选择有效的状态码",
    expected_statuses: "请填写 100 到 599 的状态码或范围，例如 200-299, 401",
    assertions: "请补全条件：路径或响应头名称，以及用来比较的值",
    headers: "请求头的名称或值无效，或全部请求头合计超过 16 KiB",
    body: "请求体过大或无效",
    retries: "重试次数须在 0 到 10 之间",
    retry_pause: "重试前的等待须在 1 到 60 秒之间，且总等待时间不超过检查间隔的四分之三",
    title: "标题不能超过 200 个字符",
    description: "描述不能超过 2000 个字符",
    logo_url: "请填写以 https:// 开头的图片地址，或 data: 图片",
    groups: "每个分组都要有名称（最多 100 个字符），最多 50 个分组",
    custom_css: "自定义 CSS 过长",
    current_password: "请填写当前密码",
    new_password: "密码须为 8 到 256 个字符",
    role: "请选择角色",
    scope: "请选择密钥的权限",
    slug: "请输入字母、数字、连字符或下划线，不能是纯数字或 start、fail、log、mute",
    key: "请输入 10 到 64 个字母、数字、连字符或下划线",
  },
} as const satisfies Errors;
