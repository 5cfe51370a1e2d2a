import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import { changeSettings, checkSettings } from '../platform/settings/index.ts'
import type { Clock } from '../platform/time/index.ts'
import type { ForwardingSettings } from './forwarding-settings.ts'

/** The settings to change; the others stay. */
export type ForwardingChange = Partial<Omit<ForwardingSettings, 'leaseSeconds'>>

type Dependencies = { config: Config; db: Database; clock: Clock }

/**
 * Stores settings of port forwarding.
 * @throws AppError `setting_locked` if flag, environment or file set another value
 */
export async function saveForwarding(services: Dependencies, change: ForwardingChange): Promise<void> {
  await changeSettings(services, changesOf(services, change))
}

/** @throws AppError the errors of `saveForwarding`, before anything is changed */
export function checkForwardingChange(services: { config: Config }, change: ForwardingChange): void {
  checkSettings(services, changesOf(services, change))
}

/** The settings to store, without values that a flag, the environment or the file sets. */
function changesOf({ config }: { config: Config }, change: ForwardingChange): Record<string, unknown> {
  const values = {
    'network.forward_port': change.isEnabled,
    'network.external_port': change.externalPort,
    'network.protocol': change.protocol,
  } as const
  const paths = Object.keys(values) as (keyof typeof values)[]
  return Object.fromEntries(
    paths.flatMap((path) => {
      const value = values[path]
      const origin = config.origins[path]
      const isSet = origin !== 'default' && origin !== 'database' && config.options[path] === value
      return value === undefined || isSet ? [] : [[path, value]]
    }),
  )
}
