import { FILE_KEY } from '../../catalogue/index.ts'
import { STATE_KEY } from '../../playback/index.ts'
import { findIndexFaults, hasKey, repairIndexes } from '../../platform/database/index.ts'
import type { Check } from '../doctor-context.ts'
import { problemsOrOk, warning } from '../finding.ts'

const SHOWN = 5

/** The keys that a command adds after it has removed the rows that they forbid. */
const KEYS = [
  { key: FILE_KEY, command: 'media:dedupe' },
  { key: STATE_KEY, command: 'session:dedupe' },
] as const

export const indexesCheck: Check = {
  id: 'indexes',
  async runOnTables({ phlix }, { connectionUri }) {
    const { missing, invalid, expected } = await findIndexFaults(connectionUri)
    const faults = [...missing.map((name) => `${name} is missing`), ...invalid.map((name) => `${name} is invalid`)]
    const more = faults.length > SHOWN ? ` and ${faults.length - SHOWN} more` : ''
    const findings = []
    if (faults.length > 0) {
      const message = `${faults.slice(0, SHOWN).join(', ')}${more}`
      findings.push(warning(message, phlix('doctor --only indexes --fix'), () => repairIndexes(connectionUri)))
    }
    for (const { key, command } of KEYS)
      if (!(await hasKey(connectionUri, key))) findings.push(warning(`${key.name} is missing`, phlix(command)))
    return problemsOrOk(findings, `${expected} indexes`)
  },
}
