export type { Account, AccountInput } from './account.ts'
export { accountErrors } from './errors.ts'
export { findAccount } from './find-account.ts'
export { logIn } from './log-in.ts'
export {
  REFRESH_LIFETIME_SECONDS,
  revokeRefreshSession,
  rotateRefreshToken,
  startRefreshSession,
  type RefreshToken,
} from './refresh-session.ts'
export { generatePassword } from './password.ts'
export { createAccount, registerAccount } from './register-account.ts'
export { resetPassword } from './reset-password.ts'
