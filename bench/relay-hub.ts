import { openHubSide } from '../test/support/relay/hub-side.ts'
import { answerProbes } from './relay-probes.ts'

/** The hub of `bench/relay.ts`, in a process of its own. */
const hub = await openHubSide()
process.send?.({ port: hub.port })
answerProbes(() => hub.relay.counts().streams)
