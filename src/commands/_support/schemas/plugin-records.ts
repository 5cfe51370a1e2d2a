import { Type } from 'typebox'
import { natural, object, flag, freeObject, listOf, orNull, text, texts, time } from './shapes.ts'

const pluginKeys = {
  name: text,
  version: text,
  type: text,
  enabled: flag,
  disabled_reason: orNull(text),
  installed_at: time,
}

export const plugin = object(pluginKeys)

/** A plugin with its settings; secrets are masked. */
export const pluginDetail = object({
  ...pluginKeys,
  source: text,
  sha256: text,
  previous_version: orNull(text),
  min_server_version: orNull(text),
  events: texts,
  permissions: object({ hosts: texts, private_network: flag, user_details: flag, durable: flag }),
  settings_schema: freeObject,
  settings: freeObject,
  secret_status: Type.Record(text, object({ set: flag, length: natural })),
  updated_at: time,
})

export const catalogueSources = listOf(object({ url: text, trusted: flag }))

export const cataloguePlugin = object({
  name: text,
  title: text,
  type: text,
  summary: text,
  description: text,
  repo: text,
  author: text,
  tags: texts,
  installed: flag,
  enabled: flag,
  version: orNull(text),
  installable: flag,
  homepage: orNull(text),
})

export const pluginUpdate = object({
  name: text,
  installed_version: text,
  latest_version: orNull(text),
  update_available: flag,
  repo: orNull(text),
  checkable: flag,
  error: orNull(text),
})
