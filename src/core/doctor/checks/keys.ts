import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pluralize, AppError } from '../../platform/errors/index.ts'
import { readServerKey, serverKeyPath } from '../../platform/keys/index.ts'
import type { DoctorCheck, DoctorContext } from '../doctor-context.ts'
import { errorResult, okResult, problemsOrOk, warningResult, type CheckResult } from '../finding.ts'
import { shellQuote } from '../shell-quote.ts'

export const keysCheck: DoctorCheck = {
  id: 'keys',
  async run(context) {
    const folder = join(context.config.dataDirectory, 'keys')
    const names = await readdir(folder).catch(() => [])
    if (names.length === 0) return okResult('no keys yet')
    const problems: CheckResult[] = []
    for (const path of names.map((name) => join(folder, name))) {
      const { mode } = await stat(path)
      if ((mode & 0o077) === 0) continue
      const text = `${path} has mode ${(mode & 0o777).toString(8)}: other accounts can read it`
      problems.push(warningResult(text, `chmod 600 ${shellQuote(path)}`, () => chmod(path, 0o600)))
    }
    return problemsOrOk(
      [...problems, ...(await serverKeyProblems(context))],
      `${pluralize(names.length, 'file')} of mode 600`,
    )
  },
}

async function serverKeyProblems(context: DoctorContext): Promise<CheckResult[]> {
  const path = serverKeyPath(context.config)
  if ((await stat(path).catch(() => undefined)) === undefined) return []
  try {
    await readServerKey(context)
    return []
  } catch (reason) {
    if (!(reason instanceof AppError)) throw reason
    const [from, to] = [shellQuote(path), shellQuote(`${path}.damaged`)]
    return [errorResult(reason.message, `mv ${from} ${to} && ${context.phlix('key:rotate')}`)]
  }
}
