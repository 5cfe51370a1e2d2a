import { AjvCompiler } from '@fastify/ajv-compiler'
import type { Static, TSchema } from 'typebox'

/** Nothing is added to or taken from what is checked. */
const COMMON = { useDefaults: false, removeAdditional: false, allErrors: false } as const

const build = AjvCompiler()

/** For JSON, which is taken as it is: `"2"`, `true`, `null` and `[2]` are not integers (M13). */
const compileExact = build({}, { customOptions: { ...COMMON, coerceTypes: false } })

/**
 * For query strings and paths, which can only carry text and are read as the type that their schema names.
 * Not `strictNumbers`: it would let infinity past every `maximum`, and `1e400` is read as infinity.
 */
const compileReading = build({}, { customOptions: { ...COMMON, coerceTypes: 'array', strictNumbers: false } })

export type Check = ReturnType<typeof compileExact>

/** Checks a value with a schema, which is compiled with the first value: compiling all at the start would take long. */
export function checkOnFirstUse(schema: unknown, text: 'json' | 'query'): Check {
  let compiled: Check | undefined
  const check = (value: unknown): boolean => {
    compiled ??= (text === 'json' ? compileExact : compileReading)({ schema })
    const isValid = compiled(value) === true
    // Fastify reads here what is wrong.
    check.errors = compiled.errors
    return isValid
  }
  check.errors = undefined as Check['errors']
  return check as Check
}

/** The same for JSON as a type guard. */
export function guardOf<Schema extends TSchema>(schema: Schema): (value: unknown) => value is Static<Schema> {
  const check = checkOnFirstUse(schema, 'json')
  return (value): value is Static<Schema> => check(value) === true
}
