import { chmod, stat } from 'node:fs/promises'
import { OPTIONS, type Config, type OptionPath } from '../../platform/config/index.ts'
import type { Check } from '../doctor-context.ts'
import { ok, problemsOr, warning } from '../finding.ts'
import { shellQuote } from '../shell-quote.ts'

/** Files with secrets must be readable for the server only. */
export const configFileCheck: Check = {
  id: 'config-file',
  async run({ config }) {
    const files = [...new Set(secretFiles(config))]
    if (files.length === 0) return ok('no secret is in a configuration file')
    const modes = await Promise.all(files.map(async (path) => ({ path, mode: (await stat(path)).mode & 0o777 })))
    return problemsOr(
      modes
        .filter(({ mode }) => (mode & 0o077) !== 0)
        .map(({ path, mode }) =>
          warning(`${path} holds secrets and has mode ${mode.toString(8)}`, `chmod 600 ${shellQuote(path)}`, () =>
            chmod(path, 0o600),
          ),
        ),
      files.join(', '),
    )
  },
}

function secretFiles({ origins }: Config): string[] {
  const paths = Object.keys(OPTIONS) as OptionPath[]
  return paths.flatMap((path) =>
    OPTIONS[path].secret && origins[path].startsWith('file ') ? [origins[path].slice('file '.length)] : [],
  )
}
