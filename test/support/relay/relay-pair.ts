import type { RequestListener, Server } from 'node:http'
import type { Test } from 'tap'
import type { WebSocket } from 'ws'
import type { Relay, RelayInput } from '../../../src/core/hub-relay/index.ts'
import type { HubTunnel } from '../../../src/core/relay-link/open-hub-tunnel.ts'
import type { FakeDirectory } from './fake-directory.ts'
import { openHomeSide, type OpenedLink } from './home-side.ts'
import { openHubSide } from './hub-side.ts'
import { waitUntil } from '../wait-until.ts'

/** A relay and a home server in this process, connected by a real WebSocket. The viewers use HTTP. */
export type RelayPair = {
  relay: Relay
  directory: FakeDirectory
  /** `http://127.0.0.1:PORT`; a viewer adds the path for the home server. */
  viewerUrl: string
  hubPort: number
  hubServer: Server
  /** The server of the home. */
  origin: Server
  /** Opens a further tunnel of the home. */
  connect(): Promise<OpenedLink>
  link: HubTunnel
  socket: WebSocket
  /** Codes of the errors that viewers got. */
  refusals: string[]
}

export type RelayPairInput = {
  origin: RequestListener
  relay?: Partial<RelayInput>
  /** Without it the pair has no tunnel. */
  isConnected?: boolean
}

/** Opens both sides; they are closed at the end of the test. */
export async function relayPair(t: Test, { origin, relay, isConnected = true }: RelayPairInput): Promise<RelayPair> {
  const home = await openHomeSide(origin)
  t.teardown(() => home.close())
  const hub = await openHubSide(relay)
  t.teardown(() => hub.close())
  const { directory, port: hubPort } = hub
  const connect = async (): Promise<OpenedLink> => {
    const before = directory.opened.length
    const opened = await home.connect(hubPort)
    await waitUntil('the tunnel is stored', () => directory.opened.length > before)
    return opened
  }
  const first = isConnected ? await connect() : undefined
  return {
    ...hub,
    viewerUrl: `http://127.0.0.1:${hubPort}`,
    hubPort,
    origin: home.origin,
    connect,
    link: first?.link as HubTunnel,
    socket: first?.socket as WebSocket,
  }
}
