import { defineErrors } from '../platform/errors/index.ts'

export const relayLinkErrors = defineErrors({
  relay_not_connected: {
    kind: 'conflict',
    title: 'No tunnel to the hub',
    doc: 'The server has no tunnel to the hub at this moment: it is not paired, the relay is switched off, or the hub cannot be reached.',
  },
})
