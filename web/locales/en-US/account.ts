import type { Translation } from "../zh-CN";

export const account: Translation["account"] = {
  username: "Username",
  email: "Email",
  password: "Password",
  confirm: "Confirm password",
  ownPassword: "Your password",
  ownPasswordHint: "Needed to change your username or email",
  passwordHint: "At least 8 characters",
  login: {
    title: "Sign in",
    subtitle: "Welcome back",
    submit: "Sign in",
    busy: "Signing in…",
    failed: "Could not sign in, please try again",
    noAccount: "No account yet?",
    register: "Register",
  },
  register: {
    title: "Create an account",
    subtitle: "It takes a few seconds",
    first: "This is the first account here. It becomes the administrator.",
    submit: "Register",
    busy: "Registering…",
    failed: "Could not register, please try again",
    done: "Your account is ready. Please sign in.",
    mismatch: "Passwords do not match",
    haveAccount: "Already have an account?",
    login: "Sign in",
    closedTitle: "Registration is closed",
    closed: "The administrator has turned off registration. Ask them for an account.",
  },
};
