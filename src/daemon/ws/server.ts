import type { SignedInAccount } from '../../core/accounts/index.ts'
import { startPeriodicTask, type PeriodicTask } from '../../core/platform/concurrency/index.ts'
import { describeError } from '../../core/platform/errors/index.ts'
import type { SigningServices } from '../../core/services.ts'
import type { App, Lifecycle } from '../http/app-types.ts'
import { listeningAddress, startListening } from '../start-listening.ts'
import { createAccountConnectionLimits, type AccountConnectionLimits } from './account-connection-limits.ts'
import { openConnection } from './connection.ts'
import { sendLibraryChanges } from './send-library-changes.ts'
import { createSocketConnections, type SocketConnections } from './connections.ts'
import { createNowPlayingDashboard, type NowPlayingDashboard } from './now-playing-dashboard.ts'
import { createUpgradeAuthenticator } from './handshake.ts'
import { buildWebSocketApp } from './websocket-app.ts'
import { handleMessage, type MessageContext } from './messages.ts'
import { createMessageViews } from './messages.view.ts'
import { createPlayerSessions, type PlayerSessions } from './players/players.ts'
import { startScanProgress } from './scan-progress.ts'
import { createViewingHours, type ViewingHours } from './viewing-hours.ts'
import { createWatchGroupSockets, type WatchGroupSockets } from './watch-groups/watch-group-sockets.ts'
import { createUpgradeHandler, type UpgradedClient } from './upgrades.ts'

const SWEEP_MILLISECONDS = 10_000

/**
 * Sessions can be ended by other processes, which send no event to this one; one query checks all of them. Processes with watch groups can be
 * killed.
 */
const CHECK_MILLISECONDS = 1000

export type SocketServer = {
  port: number
  /** Number of entries in memory: connections, subscribers of the dashboard, seats in watch groups, and players. */
  sizes(): { connections: number; watchers: number; seats: number; players: number }
  /** Runs every 10 s: closes stale and unauthorised connections, and updates the dashboard. */
  sweep(): Promise<void>
  /**
   * Runs every second: closes connections whose session has ended, finds out which processes with watch groups have ended, and tells people
   * whose hours have begun or ended, or whose bandwidth has changed.
   */
  check(): Promise<void>
  /** Refuses further handshakes, closes all connections with 1001 and resolves when they are gone. */
  close(): Promise<void>
}

/**
 * Serves WebSockets on `server.websocket_port`, and on the HTTP port below `/api/v1/syncplay/`.
 * @throws AppError `address_in_use`, `address_not_permitted`
 */
export async function startSocketServer(
  services: SigningServices,
  { app, lifecycle }: { app: App; lifecycle: Lifecycle },
): Promise<SocketServer> {
  const log = services.log.child({ domain: 'websockets' })
  const own = { ...services, log }
  const views = createMessageViews(services.clock, () => services.watchGroups.serverMilliseconds())
  const dashboard = createNowPlayingDashboard(services, views)
  const connections = createSocketConnections(own, {
    onDemoted: (connection) => dashboard.remove(connection),
    onAccessChanged: (connection) => connection.send(views.accessChanged()),
  })
  const viewingHours = createViewingHours(own, { connections, views })
  const watchGroups = createWatchGroupSockets(own, views)
  const players = createPlayerSessions(services.players, views)
  const limits = createAccountConnectionLimits(services.clock)
  const authenticator = createUpgradeAuthenticator(services, { tokens: app.tokens, lifecycle })
  const context = { services: own, tokens: app.tokens, dashboard, watchGroups, players, views }
  const onUpgrade = createUpgradeHandler({ authenticator, limits, log }, (upgraded) =>
    onConnect({ ...context, connections, limits }, upgraded),
  )

  const listener = await openListener(services, lifecycle)
  app.traffic.sockets.watch(listener.server, 'websocket')
  for (const { server } of [app, listener]) {
    server.on('upgrade', (request, socket, head) => void onUpgrade(request, socket, head))
  }
  const { events } = services
  let announced = Promise.resolve()
  const subscriptions = [
    events.subscribe('account.changed', ({ accountId }) => {
      void connections.checkAccount(accountId)
      void watchGroups.checkMembers()
      viewingHours.forget(accountId)
    }),
    events.subscribe('library.updated', (event) => {
      // One after the other: they arrive in the order of the jobs.
      announced = announced.then(() => sendLibraryChanges(own, { connections, views, event }))
    }),
    events.subscribe('request.answered', (event) => {
      // The title may be hidden from the account that requested it, and from its other profiles.
      const mayKnow = ({ policyId, profile }: SignedInAccount): boolean =>
        !profile.isRestricted && (policyId === null || event.status !== 'available')
      connections.sendWhere((account) => account.id === event.userId && mayKnow(account), views.requestAnswered(event))
    }),
  ]
  const scanProgress = startScanProgress(own, { connections, views })
  const sweeps = startSweeps({ connections, dashboard, watchGroups, viewingHours, log })
  const checks = startChecks({ connections, watchGroups, viewingHours, log })

  return {
    port: listeningAddress(listener).port,
    sizes: () => ({
      connections: connections.size(),
      watchers: dashboard.size(),
      seats: watchGroups.size(),
      players: players.size(),
    }),
    sweep: () => sweeps.run(),
    check: () => checks.run(),
    async close() {
      lifecycle.isStopping = true
      for (const unsubscribe of subscriptions) unsubscribe()
      // A running sweep still uses the database.
      await Promise.all([
        announced,
        connections.closeAll(),
        watchGroups.close(),
        listener.close(),
        sweeps.stop(),
        checks.stop(),
        scanProgress.stop(),
      ])
    },
  }
}

async function openListener(services: SigningServices, lifecycle: Lifecycle): Promise<App> {
  const { options } = services.config
  const listener = await buildWebSocketApp(services, lifecycle)
  try {
    const [host, port] = [options['server.host'], options['server.websocket_port']]
    await startListening(listener, { host, port, option: 'server.websocket_port' })
    return listener
  } catch (error) {
    await listener.close()
    throw error
  }
}

type ConnectContext = MessageContext & {
  services: Pick<SigningServices, 'clock'>
  connections: SocketConnections
  limits: AccountConnectionLimits
  watchGroups: WatchGroupSockets
  players: PlayerSessions
}

function onConnect(context: ConnectContext, { socket, authenticated, clientAddress }: UpgradedClient): void {
  const { services, views, dashboard, connections, limits, watchGroups, players } = context
  const { clock, log } = services
  const since = clock.monotonicMilliseconds()
  const share = limits.open(authenticated.account.id)
  const parts = { socket, authenticated, accountMessages: share.messages, clock, views }
  const connection = openConnection(parts, {
    // Before the first message, which may be about the group of the room.
    onOpen: (opened) => watchGroups.enterRoom(opened),
    onFrame: (from, frame) => handleMessage(context, from, frame),
  })
  const who = { connectionId: connection.id, accountId: authenticated.account.id, client: clientAddress }
  connections.add(connection)
  socket.on('error', (error) => log.debug({ ...who, reason: describeError(error) }, 'a WebSocket failed'))
  socket.on('close', (code) => {
    share.release()
    connections.remove(connection)
    dashboard.remove(connection)
    watchGroups.remove(connection)
    players.remove(connection)
    const milliseconds = Math.round(clock.monotonicMilliseconds() - since)
    log.info({ ...who, code, milliseconds }, 'a WebSocket was closed')
  })
  log.info(who, 'a WebSocket was opened')
  connection.send(views.connected(connection))
}

function startChecks(parts: {
  connections: SocketConnections
  watchGroups: WatchGroupSockets
  viewingHours: ViewingHours
  log: SigningServices['log']
}): PeriodicTask {
  const { connections, watchGroups, viewingHours, log } = parts
  return startPeriodicTask({
    intervalMilliseconds: CHECK_MILLISECONDS,
    work: () => allOf([connections.checkSessions(), watchGroups.check(), viewingHours.check()]),
    // The sweeps warn about it.
    onError: (error) => log.debug({ reason: describeError(error) }, 'sessions or processes could not be checked'),
  })
}

/** Waits for all, also after a failure of one. @throws the first failure */
async function allOf(works: readonly Promise<void>[]): Promise<void> {
  const failure = (await Promise.allSettled(works)).find(({ status }) => status === 'rejected')
  if (failure?.status === 'rejected') throw failure.reason
}

function startSweeps(parts: {
  connections: SocketConnections
  dashboard: NowPlayingDashboard
  watchGroups: WatchGroupSockets
  viewingHours: ViewingHours
  log: SigningServices['log']
}): PeriodicTask {
  const { connections, dashboard, watchGroups, viewingHours, log } = parts
  return startPeriodicTask({
    intervalMilliseconds: SWEEP_MILLISECONDS,
    work: async () => {
      // Other processes can change schedules.
      viewingHours.forgetAll()
      await connections.watch()
      await allOf([dashboard.refresh(), watchGroups.sweep()])
    },
    onError: (error) =>
      log.warning({ reason: describeError(error) }, 'the dashboard or the watch groups could not be read'),
  })
}
