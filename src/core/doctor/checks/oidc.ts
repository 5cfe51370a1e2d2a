import { inspectOidcProvider } from '../../oidc/index.ts'
import { describeError } from '../../platform/errors/index.ts'
import type { DoctorCheck } from '../doctor-context.ts'
import { errorResult, okResult, warningResult } from '../finding.ts'
import { shellQuote } from '../shell-quote.ts'

/** The library tolerates this difference in the times of ID tokens. */
const TOLERANCE_SECONDS = 30

/** Whether the provider of `auth.oidc` can be used: options, its answer, and its clock. */
export const oidcCheck: DoctorCheck = {
  id: 'oidc',
  async run(context) {
    const issuer = context.config.options['auth.oidc.issuer']
    try {
      const provider = await inspectOidcProvider(context)
      if (issuer === undefined || provider === undefined)
        return okResult('no OpenID provider is configured (auth.oidc.issuer)')
      if ('problem' in provider) {
        const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
        return [
          errorResult(
            `the OpenID provider ${issuer} does not answer, so that nobody can sign in there: ${provider.problem}. Start it, let this machine ` +
              'reach it, or correct auth.oidc.issuer; the command shows what it answers',
            `curl -fsS ${shellQuote(address)}`,
          ),
        ]
      }
      const difference = provider.clockDifferenceSeconds
      if (difference !== undefined && Math.abs(difference) > TOLERANCE_SECONDS) {
        const text = `the clocks of this machine and of ${issuer} differ by ${Math.abs(difference)} s, and sign-ins are refused above ${TOLERANCE_SECONDS} s: set the clock that is wrong; the command does so here`
        return [warningResult(text, 'timedatectl set-ntp true')]
      }
      return okResult(`${provider.issuer} answers, and its clock agrees`)
    } catch (reason) {
      const text = `the options of the OpenID provider are incomplete, and the server does not start with them: ${describeError(reason)}`
      return [
        errorResult(
          `${text}. Set what is missing (docs/single-sign-on.md); the command shows them`,
          context.phlix('config:show'),
        ),
      ]
    }
  },
}
