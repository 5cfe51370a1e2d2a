import { AjvCompiler } from '@fastify/ajv-compiler'
import type { Static, TSchema } from 'typebox'

/** Validation must not change the validated value. */
const COMMON = { useDefaults: false, removeAdditional: false, allErrors: false } as const

const build = AjvCompiler()

/** Compiles schemas of JSON bodies, without coercion: `"2"`, `true`, `null` and `[2]` are not integers. */
const compileExact = build({}, { customOptions: { ...COMMON, coerceTypes: false } })

/**
 * Compiles schemas of query strings and paths, which contain only text; the text is coerced to the type of the schema. `strictNumbers` is
 * not used: it lets infinity pass every `maximum`, and `1e400` is parsed as infinity.
 */
const compileReading = build({}, { customOptions: { ...COMMON, coerceTypes: 'array', strictNumbers: false } })

export type SchemaCheck = ReturnType<typeof compileExact>

/** Returns a validator that is compiled at first use: compiling all of them would slow the start. */
export function compileOnFirstUse(schema: unknown, text: 'json' | 'query'): SchemaCheck {
  let compiled: SchemaCheck | undefined
  const check = (value: unknown): boolean => {
    compiled ??= (text === 'json' ? compileExact : compileReading)({ schema })
    const isValid = compiled(value) === true
    // Fastify reads the validation errors from this property.
    check.errors = compiled.errors
    return isValid
  }
  check.errors = undefined as SchemaCheck['errors']
  return check as SchemaCheck
}

/** A type guard for JSON values of a schema. */
export function typeGuardFor<Schema extends TSchema>(schema: Schema): (value: unknown) => value is Static<Schema> {
  const check = compileOnFirstUse(schema, 'json')
  return (value): value is Static<Schema> => check(value) === true
}
