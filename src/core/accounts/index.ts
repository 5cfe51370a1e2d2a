export { ACCOUNT_STATUSES, asMainProfile, type Account, type SignedInAccount } from './account.ts'
export { disableAccount, enableAccount, setAdministrator } from './administer-account.ts'
export { readAvatar, removeAvatar, setAvatar } from './avatar.ts'
export { readApproval } from './approval.ts'
export { checkOwner } from './check-owner.ts'
export { changeOwnEmail } from './change-email.ts'
export { changeOwnPassword } from './change-own-password.ts'
export { deleteAccount, deleteOwnAccount, rejectAccount } from './delete-account.ts'
export { findNamedAccount, getAccount, getNamedAccount } from './find-account.ts'
export { createFindSessionAccount, type FindSessionAccount } from './find-session-account.ts'
export { selectSessionAccounts as findSessionAccounts } from './queries/sessions.ts'
export { listDevices, revokeDevice, revokeDevices } from './devices.ts'
export type { DeviceInput } from './device.ts'
export { describeDevice } from './describe-device.ts'
export type { Session, SessionInProfile, RefreshToken } from './session.ts'
export { accountErrors } from './errors.ts'
export { validationFailure } from './validation-failure.ts'
export { mayDownload } from './may-download.ts'
export { requireRecentSignIn } from './require-recent-sign-in.ts'
export { requireFullSession } from './require-full-session.ts'
export { revokeSession, listLoginSessions, type LoginSession } from './login-sessions.ts'
export { listAccounts } from './list-accounts.ts'
export { removeSignInWay } from './remove-sign-in-way.ts'
export { listSignInLinks, removeOwnLink } from './sign-in-providers/own-links.ts'
export { linkAccount, removeProviderLinks } from './sign-in-providers/link-account.ts'
export {
  linkExternalPerson,
  signInExternalPerson,
  type ExternalSignInServices,
} from './sign-in-providers/external-person.ts'
export {
  createSignInProviders,
  type SignInProvider,
  type SignInProviders,
} from './sign-in-providers/sign-in-provider.ts'
export {
  findRescueAccount,
  findUsableRescueAccount,
  isLocalSignInOff,
  isLocalSignInPossible,
  readLocalSignIn,
  requireLocalSignIn,
} from './local-sign-in.ts'
export { removeRescueAccount, setRescueAccount } from './rescue-account.ts'
export { findLocalSignInRisk, requireOtherSignIn, type LocalSignInRisk } from './local-sign-in-check.ts'
export type { LinkedIdentity } from './queries/sign-in-links.ts'
export { logIn, type LoggedIn } from './log-in.ts'
export { createInvite, describeInvite, inviteAddress, listInvites, revokeInvite, type NewInvite } from './invites.ts'
export type { Invite } from './invite.ts'
export { verifyAndRecordPin, requireProfileProof, type ProfileProof } from './prove-profile.ts'
export { requireUseOfProfile, switchProfile } from './switch-profile.ts'
export { recordLogin } from './record-login.ts'
export {
  endSession,
  publishLogout,
  revokeRefreshSession,
  endSessionsInTransaction,
  rotateRefreshToken,
  startRefreshSession,
  type SessionInput,
} from './refresh-session.ts'
export { hasAccounts } from './queries/registration.ts'
export { createAccount, registerAccount } from './register-account.ts'
export { HUB_MEMBER_EMAIL_DOMAIN } from './reserved-address.ts'
export { type CallerLocality, type RegistrationMode } from './registration-policy.ts'
export { readAccess, setAccess, addAccessRules, type AccessChanges } from './account-access.ts'
export { getSetupCode, readSetupCode } from './setup-code.ts'
export { resetPassword } from './reset-password.ts'
export { updateAccount } from './update-account.ts'
