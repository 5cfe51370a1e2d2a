export { deleteExpiredDeviceCodes } from './delete-expired-codes.ts'
export { approveCode, denyCode, inspectCode, type WaitingDevice } from './enter-code.ts'
export { CODE_SECONDS, openCode, type OpenedCode } from './open-code.ts'
export { pollCode, redeemCode, type PollState } from './poll-code.ts'
