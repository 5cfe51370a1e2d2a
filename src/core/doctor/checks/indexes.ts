import { FILE_KEY } from '../../catalogue/index.ts'
import { STATE_KEY } from '../../playback/index.ts'
import { findIndexFaults, hasKey, repairIndexes } from '../../platform/database/index.ts'
import type { DoctorCheck } from '../doctor-context.ts'
import { problemsOrOk, warningResult } from '../finding.ts'

const SHOWN = 5

/** The keys that a command adds after it has removed the rows that they forbid. */
const KEYS = [
  { key: FILE_KEY, command: 'media:dedupe' },
  { key: STATE_KEY, command: 'session:dedupe' },
] as const

export const indexesCheck: DoctorCheck = {
  id: 'indexes',
  async runOnTables({ phlix }, { connectionUri }) {
    const { missing, invalid, expected } = await findIndexFaults(connectionUri)
    const faults = [...missing.map((name) => `${name} is missing`), ...invalid.map((name) => `${name} is invalid`)]
    const more = faults.length > SHOWN ? ` and ${faults.length - SHOWN} more` : ''
    const findings = []
    if (faults.length > 0) {
      const message = `${faults.slice(0, SHOWN).join(', ')}${more}`
      findings.push(warningResult(message, phlix('doctor --only indexes --fix'), () => repairIndexes(connectionUri)))
    }
    for (const { key, command } of KEYS)
      if (!(await hasKey(connectionUri, key))) findings.push(warningResult(`${key.name} is missing`, phlix(command)))
    return problemsOrOk(findings, `${expected} indexes`)
  },
}
