import { randomUUID } from 'node:crypto'
import type { HubServices } from '../../../core/hub/index.ts'
import { createRelay, type Relay } from '../../../core/hub-relay/index.ts'
import { httpUrl } from '../../start-listening.ts'

/** The relay of this process of a hub, with the limits of its configuration. */
export function openRelay({ config, clock, log, directory }: HubServices): Relay {
  const { options } = config
  return createRelay({
    directory,
    clock,
    log,
    processId: randomUUID(),
    processAddress: httpUrl(options['hub.host'], options['hub.port']),
    streamsPerUser: options['hub.streams_per_user'],
    bytesPerSecondPerUser: options['hub.user_bytes_per_second'],
  })
}
