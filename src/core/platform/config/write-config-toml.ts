import { stringify } from 'smol-toml'
import type { Config } from './load-config.ts'
import { OPTIONS, type OptionPath } from './options.ts'

export type ConfigToml = {
  /** A configuration file with the same effect. */
  toml: string
  /** The paths of secrets that are set and not in it. */
  omittedSecrets: OptionPath[]
}

type Table = { [name: string]: Table | string | number | boolean }

/** Every option whose value is not the default, whatever its source, as a configuration file. */
export function toConfigToml(config: Config, { withSecrets }: { withSecrets: boolean }): ConfigToml {
  const document: Table = {}
  const omittedSecrets: OptionPath[] = []
  for (const path of Object.keys(OPTIONS) as OptionPath[]) {
    const value = config.options[path]
    if (config.origins[path] === 'default' || value === undefined) continue
    if (OPTIONS[path].secret && !withSecrets) omittedSecrets.push(path)
    else put(document, path.split('.'), value)
  }
  return { toml: stringify(document), omittedSecrets }
}

function put(table: Table, [name = '', ...rest]: readonly string[], value: string | number | boolean): void {
  if (rest.length === 0) {
    table[name] = value
    return
  }
  const inner = table[name]
  const next: Table = typeof inner === 'object' ? inner : {}
  table[name] = next
  put(next, rest, value)
}
