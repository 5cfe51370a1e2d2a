import { openPortMapping, removePortMapping } from './change-port-mapping.ts'
import { readForwardingSettings } from './forwarding-settings.ts'
import type { ForwardingServices } from './port-forwarding.ts'
import type { ProtocolChoice } from './connect-gateway.ts'
import { readMappingFile, type PortMapping } from './mapping-file.ts'
import { checkForwardingChange, saveForwarding } from './save-forwarding.ts'
import { requireForwardedPort } from './server-port.ts'

/** The settings to change; undefined: as before. */
export type ForwardPortInput = Readonly<{
  externalPort?: number | undefined
  protocol?: ProtocolChoice | undefined
}>

/** Time limit of the clean-up after a failure. The failure may be a signal, after which the command must end soon. */
const CLEANUP_MILLISECONDS = 2000

type CommandServices = Omit<ForwardingServices, 'log'>

/**
 * Opens the mapping from another process than the server, and stores the settings, so that the server keeps it. After a failure the
 * previous settings are restored. The previous mapping is restored too if the router still responds; otherwise a running server opens it
 * again within a minute. If there was no previous mapping, the port that the router granted before the failure is closed.
 * @throws AppError the errors of `openPortMapping`, `setting_locked`, `internal_port_unknown`
 */
export async function forwardPort(
  services: CommandServices,
  { externalPort, protocol }: ForwardPortInput,
  signal?: AbortSignal,
): Promise<PortMapping> {
  const change = {
    isEnabled: true,
    ...(externalPort === undefined ? {} : { externalPort }),
    ...(protocol === undefined ? {} : { protocol }),
  }
  checkForwardingChange(services, change)
  const former = { settings: await readForwardingSettings(services), mapping: currentMapping(services) }
  const settings = { ...former.settings, ...change }
  const internalPort = requireForwardedPort(services)
  try {
    const { mapping } = await openPortMapping(services, { settings, internalPort }, signal)
    await saveForwarding(services, change)
    return mapping
  } catch (error) {
    // NAT-PMP gives another external port only after the former one was removed.
    const isRemoved = former.mapping !== undefined && currentMapping(services) === undefined
    if (former.mapping === undefined)
      await removePortMapping(services, {}, AbortSignal.timeout(CLEANUP_MILLISECONDS)).catch(() => undefined)
    if (isRemoved)
      await openPortMapping(services, { settings: former.settings, internalPort }, signal).catch(() => undefined)
    throw error
  }
}

function currentMapping(services: CommandServices): PortMapping | undefined {
  return readMappingFile(services, services.clock.now())
}

/**
 * Switches the setting off and removes the mapping.
 * @returns the mapping that was removed; undefined if there was none
 * @throws AppError `setting_locked`; `gateway_silent` and the like if the router does not confirm the removal: the setting is off then, and
 * the lease ends by itself
 */
export async function stopForwarding(
  services: CommandServices,
  signal?: AbortSignal,
): Promise<PortMapping | undefined> {
  await saveForwarding(services, { isEnabled: false })
  return removePortMapping(services, {}, signal)
}
