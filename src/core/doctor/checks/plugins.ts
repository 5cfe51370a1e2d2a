import { examinePlugins, type PluginProblem } from '../../plugins/index.ts'
import type { DoctorCheck, DoctorContext } from '../doctor-context.ts'
import { errorResult, problemsOrOk, warningResult, type CheckResult } from '../finding.ts'
import { shellQuote } from '../shell-quote.ts'

/** Plugins that do not run although an administrator wants them to. */
export const pluginsCheck: DoctorCheck = {
  id: 'plugins',
  async runOnTables({ config, phlix }, { db }) {
    const problems = await examinePlugins({ db, config })
    return problemsOrOk(
      problems.map((problem) => resultOf(problem, phlix)),
      'the enabled plugins can run',
    )
  },
}

function resultOf(problem: PluginProblem, phlix: DoctorContext['phlix']): CheckResult {
  const { name, source } = problem
  switch (problem.kind) {
    case 'files_changed':
      return errorResult(
        `the files of ${name} are not those that were installed`,
        phlix(`plugin:install ${shellQuote(source)}`),
      )
    case 'settings_missing': {
      const values = problem.settings.map((setting) => `--set ${setting}=VALUE`).join(' ')
      const message = `${name} has no value for ${problem.settings.join(', ')}`
      return warningResult(message, phlix(`plugin:configure ${name} ${values}`))
    }
    case 'needs_newer_server':
      return warningResult(`${name} needs Phlix ${problem.version} or newer`, phlix(`plugin:disable ${name}`))
    case 'disabled':
      return warningResult(`${name} was disabled: ${problem.reason}`, phlix(`plugin:enable ${name}`))
  }
}
