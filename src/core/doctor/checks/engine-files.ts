import { checkEngineFiles, repairEngineFiles } from '../../platform/database/index.ts'
import type { DoctorCheck } from '../doctor-context.ts'
import { errorResult, okResult, problemsOrOk } from '../finding.ts'
import { reinstallCommand } from '../reinstall-command.ts'

export const engineFilesCheck: DoctorCheck = {
  id: 'engine-files',
  async run({ config, phlix }) {
    if (config.options['database.host'] !== undefined) return okResult('not needed with an external database')
    const { version, problems } = await checkEngineFiles(config.dataDirectory)
    const findings = problems.map(({ message, isMendable }) =>
      isMendable
        ? errorResult(message, phlix('doctor --only engine-files --fix'), async () =>
            repairEngineFiles(config.dataDirectory),
          )
        : errorResult(message, reinstallCommand()),
    )
    return problemsOrOk(findings, `PostgreSQL ${version ?? ''}`)
  },
}
