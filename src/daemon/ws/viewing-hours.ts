import {
  findPlaybackLimits,
  isPlayableAt,
  computeMaxKbps,
  type PlaybackLimits,
} from '../../core/playback-limits/index.ts'
import type { SigningServices } from '../../core/services.ts'
import type { SocketConnections } from './connections.ts'
import type { MessageViews } from './messages.view.ts'

/** The hours and the bandwidth of the profiles that are connected to this process. */
export type ViewingHours = {
  /**
   * Tells the connections of a profile when its hours have begun or ended since the last check, by the clock or by a change, and when its
   * limit of bandwidth is another one. Limits that are known are not read again.
   * @throws the error of the database
   */
  check(): Promise<void>
  /** Reads the limits of an account again at the next check. */
  forget(accountId: string): void
  /** The same for all accounts. */
  forgetAll(): void
}

/** `isPlayable` and `maxKbps` are what the connections know. */
type Known = { limits: PlaybackLimits; isPlayable: boolean; maxKbps: number | null; isStale: boolean }

/** Creates the hours of connected profiles. They are compared with the clock every second, so that a clock that is set needs no timer. */
export function createViewingHours(
  { db, clock }: Pick<SigningServices, 'db' | 'clock'>,
  {
    connections,
    views,
  }: { connections: Pick<SocketConnections, 'profileIds' | 'sendWhere'>; views: Pick<MessageViews, 'accessChanged'> },
): ViewingHours {
  const known = new Map<string, Known>()
  const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions()
  let changes = 0

  function forgetWhere(isMeant: (one: Known) => boolean): void {
    changes += 1
    for (const one of known.values()) if (isMeant(one)) one.isStale = true
  }

  async function readUnknown(profileIds: readonly string[]): Promise<void> {
    const unknown = profileIds.filter((id) => known.get(id)?.isStale !== false)
    if (unknown.length === 0) return
    const earlier = new Map([...known].map(([id, { limits }]) => [id, limits]))
    const changesBefore = changes
    const found = await findPlaybackLimits(db, { profileIds: unknown, zone, earlier })
    for (const id of unknown) {
      const limits = found.get(id)
      if (limits === undefined) known.delete(id)
      else {
        const { isPlayable, maxKbps } = known.get(id) ?? stateOf(limits, clock.now())
        // What has changed meanwhile is read again.
        known.set(id, { limits, isPlayable, maxKbps, isStale: changes !== changesBefore })
      }
    }
  }

  return {
    async check() {
      const connected = connections.profileIds()
      const isConnected = new Set(connected)
      for (const id of known.keys()) if (!isConnected.has(id)) known.delete(id)
      await readUnknown(connected)
      const now = clock.now()
      const changed = new Set<string>()
      for (const [id, one] of known) {
        const state = stateOf(one.limits, now)
        if (state.isPlayable !== one.isPlayable || state.maxKbps !== one.maxKbps) changed.add(id)
        Object.assign(one, state)
      }
      if (changed.size > 0) connections.sendWhere(({ profile }) => changed.has(profile.id), views.accessChanged())
    },
    forget: (accountId) => forgetWhere(({ limits }) => limits.accountId === accountId),
    forgetAll: () => forgetWhere(() => true),
  }
}

function stateOf(limits: PlaybackLimits, now: Date): Pick<Known, 'isPlayable' | 'maxKbps'> {
  return { isPlayable: isPlayableAt(limits, now), maxKbps: computeMaxKbps(limits) }
}
