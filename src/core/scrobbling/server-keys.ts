import type { Config } from '../platform/config/index.ts'
import { scrobblingErrors } from './errors.ts'
import type { ServerKeys } from './service.ts'
import { scrobbleServiceByName, type ScrobbleServiceName } from './services/index.ts'

/** The keys of this server for a service; undefined if some are missing. */
export function findServerKeys(config: Config, service: ScrobbleServiceName): ServerKeys | undefined {
  const keys = scrobbleServiceByName(service).keys.map(
    (key) => [key, valueOf(config, optionName(service, key))] as const,
  )
  return keys.every(([, value]) => value !== '') ? Object.fromEntries(keys) : undefined
}

/** @throws AppError `scrobbling_not_configured` */
export function requireServerKeys(config: Config, service: ScrobbleServiceName): ServerKeys {
  const keys = findServerKeys(config, service)
  if (keys !== undefined) return keys
  const { title, keys: names } = scrobbleServiceByName(service)
  const settings = names.map((key) => optionName(service, key))
  throw scrobblingErrors.scrobbling_not_configured({
    message: `${title} needs the settings ${settings.join(' and ')}.`,
    hint: `phlix config:set ${settings[0]} KEY`,
    details: { settings },
  })
}

function optionName(service: ScrobbleServiceName, key: string): string {
  return `scrobbling.${service}.${key}`
}

function valueOf({ options }: Config, name: string): string {
  const value = (options as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : ''
}
