import { inspectLdapDirectory } from '../../ldap/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import type { DoctorCheck } from '../doctor-context.ts'
import { errorResult, okResult } from '../finding.ts'

/** Whether the directory of `auth.ldap` can be used: options, connection, the account that searches. */
export const ldapCheck: DoctorCheck = {
  id: 'ldap',
  async run({ config, phlix }) {
    try {
      const directory = await inspectLdapDirectory({ config })
      if (directory === undefined) return okResult('no directory is configured')
      const { url, problem } = directory
      if (problem === null) return okResult(`${url} answers`)
      const { hostname, port, protocol } = new URL(url)
      const address = `${hostname} ${port === '' ? (protocol === 'ldaps:' ? 636 : 389) : port}`
      const text = `nobody can sign in with a password of the directory ${url}: ${problem}. Start it, let this machine reach it, or correct auth.ldap`
      return [errorResult(`${text}; the command tests the connection`, `nc -vz ${address}`)]
    } catch (reason) {
      const text = `the options of the directory are wrong, and the server does not start with them: ${describeError(reason)}`
      return [
        errorResult(`${text}. Correct them (docs/single-sign-on.md); the command shows them`, phlix('config:show')),
      ]
    }
  },
}
