import { randomUUID } from 'node:crypto'
import type { HubServices } from '../../../core/hub/index.ts'
import { createPeerSessions, createRelay, type Relay } from '../../../core/hub-relay/index.ts'
import { httpUrl } from '../../start-listening.ts'

/** The relay of this process of a hub. */
export type ProcessRelay = Relay & { processId: string }

/** Creates the relay with the limits of the configuration. */
export function openRelay({ config, clock, log, directory, peerKeys }: HubServices): ProcessRelay {
  const { options } = config
  const { 'hub.peer_host': peerHost, 'hub.peer_port': peerPort } = options
  const processId = randomUUID()
  const hasPeers = peerPort !== 0
  const relay = createRelay({
    directory,
    clock,
    log,
    processId,
    processAddress: hasPeers
      ? httpUrl(peerHost, peerPort).replace('http:', 'https:')
      : httpUrl(options['hub.host'], options['hub.port']),
    ...(hasPeers ? { peers: createPeerSessions({ processId, keys: peerKeys, log }) } : {}),
    streamsPerUser: options['hub.streams_per_user'],
    bytesPerSecondPerUser: options['hub.user_bytes_per_second'],
  })
  return { ...relay, processId }
}
