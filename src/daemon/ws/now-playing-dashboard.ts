import type { Services } from '../../core/services.ts'
import { listNowPlaying, type NowPlaying } from '../../core/playback/index.ts'
import type { SocketConnection } from './connection.ts'
import type { MessageViews } from './messages.view.ts'

/** The subscribers of the now-playing dashboard. The caller has checked their permission. */
export type NowPlayingDashboard = {
  /** Sends the current state, and every change from now on. */
  add(connection: SocketConnection): Promise<void>
  /** Ends the subscription and confirms it; does nothing without a subscription. */
  remove(connection: SocketConnection): void
  /** Reads the current state if there are subscribers, and sends changes. */
  refresh(): Promise<void>
  size(): number
}

export function createNowPlayingDashboard(
  services: Pick<Services, 'db' | 'clock'>,
  views: MessageViews,
): NowPlayingDashboard {
  const subscribers = new Set<SocketConnection>()
  let lastSent = ''

  const tell = (connection: SocketConnection, playing: readonly NowPlaying[]): void =>
    connection.send(views.nowPlaying({ isSubscribed: true, playing }))

  return {
    size: () => subscribers.size,
    async add(connection) {
      const playing = await listNowPlaying(services)
      // The connection may have closed meanwhile, and would never be removed.
      if (!connection.isOpen()) return
      subscribers.add(connection)
      tell(connection, playing)
    },
    remove(connection) {
      if (subscribers.delete(connection)) connection.send(views.nowPlaying({ isSubscribed: false, playing: [] }))
    },
    async refresh() {
      if (subscribers.size === 0) return
      const playing = await listNowPlaying(services)
      const text = JSON.stringify(playing)
      if (text === lastSent) return
      lastSent = text
      for (const connection of subscribers) tell(connection, playing)
    },
  }
}
