import { readMapping, reportForwarding } from '../../network/index.ts'
import { readProcessLock } from '../../platform/spawn/index.ts'
import type { Check } from '../doctor-context.ts'
import { ok, warning } from '../finding.ts'
import { serveLockPath } from '../serve-lock-path.ts'

/** Whether the Internet reaches the port that the router forwards, as of its last reply; no request is sent to the router. */
export const portForwardingCheck: Check = {
  id: 'port-forwarding',
  async run({ config, clock, phlix }) {
    const isEnabled = config.options['network.forward_port']
    const mapping = readMapping({ config }, clock.now())
    if (!isEnabled) return ok('off')
    const { problem, reach } = reportForwarding({ isEnabled, mapping })
    if (mapping === undefined) {
      // The port is open only while the server runs.
      if (readProcessLock(serveLockPath(config)).state !== 'held') return ok('the server does not run')
      return [
        warning('the gateway forwards no port, although network.forward_port is on', phlix('network:forward-port')),
      ]
    }
    if (reach === 'public') return ok(`port ${mapping.externalPort} of ${mapping.externalAddress}`)
    return [warning(problem ?? 'the Internet does not reach the port', phlix('network:forward-port --remove'))]
  },
}
