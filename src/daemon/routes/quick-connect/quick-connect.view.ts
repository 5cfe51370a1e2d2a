import { toIsoTimestamp } from '../../../core/platform/time/index.ts'
import { CODE_SECONDS, type OpenedCode, type CodeState, type WaitingDevice } from '../../../core/quick-connect/index.ts'

export function initiatedView({ code, secret, pollSeconds, expiresAt }: OpenedCode) {
  return {
    code,
    device_code: secret,
    interval: pollSeconds,
    expires_in: CODE_SECONDS,
    expires_at: toIsoTimestamp(expiresAt),
  }
}

export function statusView({ status, pollSeconds, isTooSoon }: CodeState) {
  return { status, interval: pollSeconds, slow_down: isTooSoon }
}

export function waitingView({ deviceName, deviceType, address, isSameAddress, expiresAt }: WaitingDevice) {
  return {
    device: { name: deviceName, type: deviceType, address },
    is_same_address: isSameAddress,
    expires_at: toIsoTimestamp(expiresAt),
  }
}
