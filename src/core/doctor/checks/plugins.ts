import { examinePlugins, type PluginProblem } from '../../plugins/index.ts'
import type { Check, DoctorContext } from '../doctor-context.ts'
import { error, problemsOrOk, warning, type CheckResult } from '../finding.ts'
import { shellQuote } from '../shell-quote.ts'

/** Plugins that do not run although an administrator wants them to. */
export const pluginsCheck: Check = {
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
      return error(
        `the files of ${name} are not those that were installed`,
        phlix(`plugin:install ${shellQuote(source)}`),
      )
    case 'settings_missing': {
      const values = problem.settings.map((setting) => `--set ${setting}=VALUE`).join(' ')
      const message = `${name} has no value for ${problem.settings.join(', ')}`
      return warning(message, phlix(`plugin:configure ${name} ${values}`))
    }
    case 'needs_newer_server':
      return warning(`${name} needs Phlix ${problem.version} or newer`, phlix(`plugin:disable ${name}`))
    case 'disabled':
      return warning(`${name} was disabled: ${problem.reason}`, phlix(`plugin:enable ${name}`))
  }
}
