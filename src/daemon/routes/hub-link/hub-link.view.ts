import type { HubLinkStatus, OpenedClaim } from '../../../core/hub-link/index.ts'
import { isoTimestampOrNull } from '../../../core/platform/time/index.ts'

/** The state of the pairing in the keys of existing clients; `expiresAt` and `problem` are additions. */
export function hubStateView(status: HubLinkStatus) {
  return {
    success: true as const,
    paired: status.isPaired,
    serverId: status.serverId,
    hubUrl: status.hubUrl,
    enrolledAt: isoTimestampOrNull(status.enrolledAt),
    expiresAt: isoTimestampOrNull(status.expiresAt),
    lastHeartbeat: isoTimestampOrNull(status.lastHeartbeatAt),
    problem: status.failure,
  }
}

export function openedClaimView({ hubUrl, claimCode, claimId, expiresInSeconds }: OpenedClaim) {
  return { success: true as const, serverId: null, hubUrl, claimCode, claimId, expiresIn: expiresInSeconds }
}
