import type { DoctorCheck } from '../doctor-context.ts'
import { errorResult, okResult } from '../finding.ts'

/** The oldest release with argon2 in its standard library. */
const OLDEST = [24, 7] as const

export const nodeCheck: DoctorCheck = {
  id: 'node',
  async run({ nodeVersion }) {
    const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
    const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
    if (!isOld) return okResult(`Node ${nodeVersion}`)
    return [errorResult(`Node ${nodeVersion} is older than ${OLDEST.join('.')}`, 'npm install --global node@24')]
  },
}
