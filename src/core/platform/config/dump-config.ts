import type { Config } from './load-config.ts'
import { OPTIONS, type OptionPath } from './options.ts'

/** Replaces a secret in output. In a request it means that the secret is unchanged. */
export const SECRET_MASK = '***'

export type OptionReport = {
  path: OptionPath
  value: string | number | boolean | null
  origin: string
  secret: boolean
}

/** Every option with its value and origin; secrets that are set show as `***`. */
export function dumpConfig(config: Config): OptionReport[] {
  return (Object.keys(OPTIONS) as OptionPath[]).map((path) => {
    const { secret } = OPTIONS[path]
    const value = config.options[path] ?? null
    const isSet = value !== null && value !== ''
    return { path, value: secret && isSet ? SECRET_MASK : value, origin: config.origins[path], secret }
  })
}
