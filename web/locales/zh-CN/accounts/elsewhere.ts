/** Signing in at an issuer or by a proxy. */
export const elsewhere = {
  signIn: "使用 {{name}} 登录",
  or: "或使用密码",
  unavailable: "暂时无法连接 {{name}}。",
  administrators: "暂时无法连接 {{name}}，管理员可以使用密码登录。",
};

/** The page of a link that verifies an email address. */
export const verify = {
  title: "验证邮箱",
  confirm: "确认这是我的邮箱",
  done: "邮箱已验证。",
  toProfile: "前往个人资料",
};
