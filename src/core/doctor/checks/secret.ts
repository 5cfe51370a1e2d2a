import { signingSecretProblem } from '../../platform/keys/index.ts'
import type { Check } from '../doctor-context.ts'
import { error, ok, warning } from '../finding.ts'

const FIX = 'export JWT_SECRET="$(openssl rand -base64 48)"'

export const secretCheck: Check = {
  id: 'secret',
  async run({ config }) {
    const problem = signingSecretProblem(config)
    if (problem === undefined) return ok('the signing secret is long and not a known default')
    return [config.isProduction ? error(`${problem}: the server does not start`, FIX) : warning(problem, FIX)]
  },
}
