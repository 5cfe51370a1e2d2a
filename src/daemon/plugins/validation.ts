import { AjvCompiler } from '@fastify/ajv-compiler'
import type { App } from '../http/app-types.ts'

/** Nothing is added to or taken from what the client sent; fields that no schema names are left alone and ignored. */
const COMMON = { useDefaults: false, removeAdditional: false, allErrors: false } as const

/**
 * Two validators: bodies are taken as they are (`"2"`, `true`, `null` and `[2]` are not integers: M13), while query strings and
 * paths, which can only carry text, are read as the type that their schema names.
 */
export function installValidation(app: App): void {
  const build = AjvCompiler()
  const exact = build({}, { customOptions: { ...COMMON, coerceTypes: false } })
  // Not `strictNumbers`: it would let infinity past every `maximum`, and `1e400` is read as infinity.
  const reading = build({}, { customOptions: { ...COMMON, coerceTypes: 'array', strictNumbers: false } })
  app.setValidatorCompiler(({ schema, httpPart }) => (httpPart === 'body' ? exact : reading)({ schema }))
}
