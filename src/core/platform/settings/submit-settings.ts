import type { Config } from '../config/index.ts'
import type { Database } from '../database/index.ts'
import type { Clock } from '../time/index.ts'
import { changeSettings } from './change-settings.ts'
import { listSettings, type Setting } from './list-settings.ts'

/** What stands for a secret that is set, and for leaving it as it is. */
export const SECRET_MASK = '***'

/**
 * Takes settings as a form sends them back, the untouched ones among them: only what differs from what is in force is written. Null takes
 * a setting away; the mask leaves a secret as it is.
 * @throws what `changeSettings` throws
 */
export async function submitSettings(
  services: { config: Config; db: Database; clock: Clock },
  submitted: Readonly<Record<string, unknown>>,
): Promise<void> {
  const settings = new Map<string, Setting>((await listSettings(services)).map((setting) => [setting.path, setting]))
  const changes = Object.entries(submitted).filter(([name, value]) => {
    const setting = settings.get(name)
    if (setting === undefined) return true
    if (setting.option.secret && value === SECRET_MASK) return false
    return value === null ? setting.isStored : value !== setting.value
  })
  if (changes.length > 0) await changeSettings(services, Object.fromEntries(changes))
}
