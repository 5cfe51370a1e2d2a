import { readMappingFile, reportForwarding } from '../../network/index.ts'
import { readProcessLock } from '../../platform/spawn/index.ts'
import type { DoctorCheck } from '../doctor-context.ts'
import { okResult, warningResult } from '../finding.ts'
import { serveLockPath } from '../serve-lock-path.ts'

/** Whether the Internet reaches the port that the router forwards, as of its last reply; no request is sent to the router. */
export const portForwardingCheck: DoctorCheck = {
  id: 'port-forwarding',
  async run({ config, clock, phlix }) {
    const isEnabled = config.options['network.forward_port']
    const mapping = readMappingFile({ config }, clock.now())
    if (!isEnabled) return okResult('off')
    const { problem, reach } = reportForwarding({ isEnabled, mapping })
    if (mapping === undefined) {
      // The port is open only while the server runs.
      if (readProcessLock(serveLockPath(config)).state !== 'held') return okResult('the server does not run')
      return [
        warningResult(
          'the gateway forwards no port, although network.forward_port is on',
          phlix('network:forward-port'),
        ),
      ]
    }
    if (reach === 'public') return okResult(`port ${mapping.externalPort} of ${mapping.externalAddress}`)
    return [warningResult(problem ?? 'the Internet does not reach the port', phlix('network:forward-port --remove'))]
  },
}
