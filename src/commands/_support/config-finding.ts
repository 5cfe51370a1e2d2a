import type { Finding } from '../../core/doctor/index.ts'
import { describeError } from '../../core/platform/errors/index.ts'

/** A configuration that is not valid, as a finding of `doctor`. The first problem gets the command. */
export function configFinding(error: unknown): Finding {
  const message = describeError(error)
  const variable = /^([A-Z][A-Z0-9_]{2,60})\b/.exec(message)?.[1]
  const fix = variable === undefined ? 'phlix config:validate' : `unset ${variable}`
  return { id: 'config', level: 'error', message, fix }
}
