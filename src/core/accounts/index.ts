export { ACCOUNT_STATUSES, type Account, type AccountInput } from './account.ts'
export { disableAccount, enableAccount, setAdministrator } from './administer-account.ts'
export { openAvatar, removeAvatar, setAvatar } from './avatar.ts'
export { checkOwner } from './check-owner.ts'
export { deleteAccount, rejectAccount } from './delete-account.ts'
export { findNamedAccount, getAccount, getNamedAccount } from './find-account.ts'
export { findSessionAccount, type Session } from './find-session-account.ts'
export { requireActiveSession } from './require-active-session.ts'
export { listAccounts } from './list-accounts.ts'
export { logIn } from './log-in.ts'
export { createInvite, listInvites, revokeInvite, type Invite } from './invites.ts'
export { recordLogin } from './record-login.ts'
export {
  endSession,
  revokeRefreshSession,
  rotateRefreshToken,
  startRefreshSession,
  type RefreshToken,
} from './refresh-session.ts'
export { generatePassword } from './password.ts'
export { createAccount, registerAccount } from './register-account.ts'
export { type CallerLocality } from './registration-policy.ts'
export { getSetupCode, readSetupCode } from './setup-code.ts'
export { resetPassword } from './reset-password.ts'
export { updateAccount } from './update-account.ts'
