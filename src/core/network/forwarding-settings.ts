import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import { readSetting } from '../platform/settings/index.ts'
import type { ProtocolChoice } from './connect-gateway.ts'

export type ForwardingSettings = Readonly<{
  isEnabled: boolean
  /** 0: any, preferably the number of the internal port. */
  externalPort: number
  protocol: ProtocolChoice
  leaseSeconds: number
}>

/** The settings as of now. */
export async function readForwardingSettings(services: { config: Config; db: Database }): Promise<ForwardingSettings> {
  const [isEnabled, externalPort, protocol, leaseSeconds] = await Promise.all([
    readSetting(services, 'network.forward_port'),
    readSetting(services, 'network.external_port'),
    readSetting(services, 'network.protocol'),
    readSetting(services, 'network.lease_seconds'),
  ])
  return { isEnabled, externalPort, protocol, leaseSeconds }
}
