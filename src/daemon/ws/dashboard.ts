import type { Services } from '../../core/services.ts'
import { listNowPlaying, type NowPlaying } from '../../core/playback/index.ts'
import type { Connection } from './connection.ts'
import type { MessageViews } from './messages.view.ts'

/** Who watches what is being played; the caller has made sure that they may. */
export type Dashboard = {
  /** Tells what is being played now, and from now on every change. */
  add(connection: Connection): Promise<void>
  /** Ends that and says so; nothing for who does not watch. */
  remove(connection: Connection): void
  /** Looks, when anybody watches, and tells what has changed. */
  refresh(): Promise<void>
  size(): number
}

export function createDashboard(services: Pick<Services, 'db' | 'clock'>, views: MessageViews): Dashboard {
  const watchers = new Set<Connection>()
  let lastTold = ''

  const tell = (connection: Connection, playing: readonly NowPlaying[]): void =>
    connection.send(views.nowPlaying({ isSubscribed: true, playing }))

  return {
    size: () => watchers.size,
    async add(connection) {
      const playing = await listNowPlaying(services)
      // It may have gone meanwhile, and would then never be removed.
      if (!connection.isOpen()) return
      watchers.add(connection)
      tell(connection, playing)
    },
    remove(connection) {
      if (watchers.delete(connection)) connection.send(views.nowPlaying({ isSubscribed: false, playing: [] }))
    },
    async refresh() {
      if (watchers.size === 0) return
      const playing = await listNowPlaying(services)
      const text = JSON.stringify(playing)
      if (text === lastTold) return
      lastTold = text
      for (const connection of watchers) tell(connection, playing)
    },
  }
}
