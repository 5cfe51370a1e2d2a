import type { Check } from '../doctor-context.ts'
import { error, ok } from '../finding.ts'

/** The oldest release with argon2 in its standard library. */
const OLDEST = [24, 7] as const

export const nodeCheck: Check = {
  id: 'node',
  async run({ nodeVersion }) {
    const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
    const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
    if (!isOld) return ok(`Node ${nodeVersion}`)
    return [error(`Node ${nodeVersion} is older than ${OLDEST.join('.')}`, 'npm install --global node@24')]
  },
}
