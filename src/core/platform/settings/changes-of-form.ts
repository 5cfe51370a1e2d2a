import type { Config } from '../config/index.ts'
import type { Connection } from '../database/index.ts'
import { listSettings, type Setting } from './list-settings.ts'

/** What stands for a secret that is set, and for leaving it as it is. */
export const SECRET_MASK = '***'

/**
 * What a form that is sent back changes, the untouched settings among it: only what differs from what is in force. Null takes a setting
 * away; the mask leaves a secret as it is.
 */
export async function changesOfForm(
  services: { config: Config; db: Connection },
  submitted: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const settings = new Map<string, Setting>((await listSettings(services)).map((setting) => [setting.path, setting]))
  const changes = Object.entries(submitted).filter(([name, value]) => {
    const setting = settings.get(name)
    if (setting === undefined) return true
    if (setting.option.secret && value === SECRET_MASK) return false
    return value === null ? setting.isStored : value !== setting.value
  })
  return Object.fromEntries(changes)
}
