import { chmod, stat } from 'node:fs/promises'
import type { DoctorCheck } from '../doctor-context.ts'
import { okResult, warningResult } from '../finding.ts'
import { shellQuote } from '../shell-quote.ts'

/** Other accounts may pass through, because under root the embedded database runs as another account. They may neither list nor write. */
const FORBIDDEN = 0o066

export const dataModeCheck: DoctorCheck = {
  id: 'data-mode',
  async run({ config: { dataDirectory } }) {
    const mode = await stat(dataDirectory).then(
      (found) => found.mode & 0o777,
      () => undefined,
    )
    if (mode === undefined) return okResult('the data directory does not exist yet')
    const text = `${dataDirectory} has mode ${mode.toString(8)}`
    if ((mode & FORBIDDEN) === 0) return okResult(text)
    const allowed = mode & ~FORBIDDEN
    const fix = `chmod ${allowed.toString(8).padStart(3, '0')} ${shellQuote(dataDirectory)}`
    return [
      warningResult(`${text}: other accounts can list or change it`, fix, async () => chmod(dataDirectory, allowed)),
    ]
  },
}
