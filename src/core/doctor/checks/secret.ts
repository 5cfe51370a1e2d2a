import { signingSecretProblem } from '../../platform/keys/index.ts'
import type { DoctorCheck } from '../doctor-context.ts'
import { errorResult, okResult, warningResult } from '../finding.ts'

const FIX = 'export JWT_SECRET="$(openssl rand -base64 48)"'

export const secretCheck: DoctorCheck = {
  id: 'secret',
  async run({ config }) {
    const problem = signingSecretProblem(config)
    if (problem === undefined) return okResult('the signing secret is long and not a known default')
    return [
      config.isProduction ? errorResult(`${problem}: the server does not start`, FIX) : warningResult(problem, FIX),
    ]
  },
}
