import { findIndexFaults, repairIndexes } from '../../platform/database/index.ts'
import type { DoctorCheck } from '../doctor-context.ts'
import { problemsOrOk, warningResult } from '../finding.ts'

const SHOWN = 5

export const indexesCheck: DoctorCheck = {
  id: 'indexes',
  async runOnTables({ phlix }, { connectionUri }) {
    const { missing, invalid, expected } = await findIndexFaults(connectionUri)
    const faults = [...missing.map((name) => `${name} is missing`), ...invalid.map((name) => `${name} is invalid`)]
    const more = faults.length > SHOWN ? ` and ${faults.length - SHOWN} more` : ''
    const message = `${faults.slice(0, SHOWN).join(', ')}${more}`
    return problemsOrOk(
      faults.length === 0
        ? []
        : [warningResult(message, phlix('doctor --only indexes --fix'), () => repairIndexes(connectionUri))],
      `${expected} indexes`,
    )
  },
}
