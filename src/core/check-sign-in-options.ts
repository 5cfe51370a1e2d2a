import { configErrors, localSignInProblem, type Config } from './platform/config/index.ts'
import { AppError } from './platform/errors/index.ts'
import { readLdapOptions } from './ldap/index.ts'
import { readOidcOptions } from './oidc/index.ts'

/**
 * Checks the options of the ways to sign in, which depend on each other.
 * @throws AppError `invalid_config` with all problems: options of a provider are missing, or the file, the environment or a flag switches the
 *   only way to sign in off
 */
export function checkSignInOptions(config: Pick<Config, 'options'>): void {
  const problems = [
    ...problemsOf(() => readOidcOptions(config)),
    ...problemsOf(() => readLdapOptions(config)),
    ...localProblems(config),
  ]
  if (problems.length > 0) throw configErrors.invalid_config({ message: problems.join('; '), details: { problems } })
}

function localProblems({ options }: Pick<Config, 'options'>): string[] {
  const problem = options['accounts.local_sign_in'] ? undefined : localSignInProblem(options)
  return problem === undefined ? [] : [`accounts.local_sign_in ${problem}`]
}

function problemsOf(read: () => unknown): string[] {
  try {
    read()
    return []
  } catch (error) {
    const problems = error instanceof AppError ? error.details['problems'] : undefined
    if (!Array.isArray(problems)) throw error
    return problems.map(String)
  }
}
