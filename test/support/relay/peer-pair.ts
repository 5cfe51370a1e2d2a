import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import type { Test } from 'tap'
import type { PeerKeys, StoredTunnel } from '../../../src/core/hub/index.ts'
import { createPeerSessions } from '../../../src/core/hub-relay/index.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { startPeerListener } from '../../../src/daemon/hub/relay/peer-listener.ts'
import { freePort } from '../free-port.ts'
import { openHubSide, type HubSide } from './hub-side.ts'
import { relayPair, type RelayPair } from './relay-pair.ts'

/** Two processes of a hub, both in this process. The first one holds the tunnel of the home server. */
export type PeerPair = {
  holder: RelayPair & { processId: string; address: string; tunnel(): StoredTunnel }
  /** Its viewers are sent on to the first one. */
  other: HubSide & { url: string }
  /** What the directory of the second one says in turn; at the end the truth. */
  answers: (StoredTunnel | null)[]
}

/** Opens both with a listener for the second one; all end with the test. */
export async function peerPair(
  t: Test,
  input: { origin: RequestListener; keys: PeerKeys; keysOfOther?: PeerKeys; streamsPerUser?: number },
): Promise<PeerPair> {
  const { origin, keys, keysOfOther = keys, streamsPerUser = 1000 } = input
  const [processId, otherId, port] = [randomUUID(), randomUUID(), await freePort()]
  const config = loadConfig({
    environment: { PHLIX_HUB_PEER_HOST: '127.0.0.1', PHLIX_HUB_PEER_PORT: String(port) },
  })
  const log = await createLogger(config, { level: 'critical' })
  const address = `https://127.0.0.1:${port}`
  const pair = await relayPair(t, { origin, relay: { processId, processAddress: address, streamsPerUser } })
  const listener = await startPeerListener({
    services: { config, log, peerKeys: keys },
    relay: { processId, pass: (request) => pair.relay.pass(request) },
  })
  t.teardown(() => listener.close(0))
  const peers = createPeerSessions({ processId: otherId, keys: keysOfOther, log })
  const other = await openHubSide({ processId: otherId, peers })
  t.teardown(() => other.close())
  const tunnel = (): StoredTunnel => ({
    tunnelId: pair.directory.opened.at(-1)?.tunnelId ?? '',
    processId,
    processAddress: address,
  })
  const answers: (StoredTunnel | null)[] = []
  other.directory.findServer = async () => {
    const next = answers.shift()
    return { state: 'online', isOwner: true, libraryIds: null, tunnel: next === undefined ? tunnel() : next }
  }
  return {
    holder: { ...pair, processId, address, tunnel },
    other: { ...other, url: `http://127.0.0.1:${other.port}` },
    answers,
  }
}
