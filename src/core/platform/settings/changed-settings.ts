import { SECRET_MASK, type Config } from '../config/index.ts'
import type { Connection } from '../database/index.ts'
import { listSettings, type Setting } from './list-settings.ts'

/**
 * The changes in a submitted form, which includes unchanged settings: only values that differ from the effective ones. Null deletes a
 * setting; the mask keeps a secret.
 */
export async function filterChangedSettings(
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
