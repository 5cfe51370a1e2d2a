import { Type } from 'typebox'
import {
  nonNegativeInteger,
  object,
  boolean,
  freeObject,
  arrayOf,
  orNull,
  string,
  strings,
  timestamp,
} from './shapes.ts'

const pluginKeys = {
  name: string,
  version: string,
  type: string,
  enabled: boolean,
  disabled_reason: orNull(string),
  installed_at: timestamp,
}

export const plugin = object(pluginKeys)

/** A plugin with its settings; secrets are masked. */
export const pluginDetail = object({
  ...pluginKeys,
  source: string,
  sha256: string,
  previous_version: orNull(string),
  min_server_version: orNull(string),
  events: strings,
  permissions: object({ hosts: strings, private_network: boolean, user_details: boolean, durable: boolean }),
  settings_schema: freeObject,
  settings: freeObject,
  secret_status: Type.Record(string, object({ set: boolean, length: nonNegativeInteger })),
  updated_at: timestamp,
})

export const catalogueSources = arrayOf(object({ url: string, trusted: boolean }))

export const cataloguePlugin = object({
  name: string,
  title: string,
  type: string,
  summary: string,
  description: string,
  repo: string,
  author: string,
  tags: strings,
  installed: boolean,
  enabled: boolean,
  version: orNull(string),
  installable: boolean,
  homepage: orNull(string),
})

export const pluginUpdate = object({
  name: string,
  installed_version: string,
  latest_version: orNull(string),
  update_available: boolean,
  repo: orNull(string),
  checkable: boolean,
  error: orNull(string),
})
