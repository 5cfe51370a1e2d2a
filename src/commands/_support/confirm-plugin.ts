import type { FoundPlugin } from '../../core/plugins/index.ts'
import { confirmDeletion } from './arguments/confirm-deletion.ts'

export type ConfirmInput = {
  /** What the plugin may do beyond the installed version, as lines. */
  permissions: readonly string[]
  found: FoundPlugin
  isConfirmed: boolean
  mayAsk: boolean
  signal: AbortSignal
}

/**
 * Asks the user whether a plugin with permissions may be installed. A plugin without permissions needs no confirmation.
 * @throws AppError `usage` without a terminal
 */
export async function confirmPlugin(input: ConfirmInput): Promise<boolean> {
  const { permissions, found, isConfirmed, mayAsk, signal } = input
  if (isConfirmed || permissions.length === 0) return true
  const { name, version } = found.version.manifest
  return confirmDeletion(`${name} ${version} asks to ${permissions.join('; to ')}.`, { mayAsk, signal })
}
