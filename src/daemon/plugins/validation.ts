import { AjvCompiler } from '@fastify/ajv-compiler'
import type { App } from '../http/app-types.ts'

/** Nothing is added to or taken from what the client sent; fields that no schema names are left alone and ignored. */
const COMMON = { useDefaults: false, removeAdditional: false, allErrors: false } as const

type Validate = ReturnType<ReturnType<ReturnType<typeof AjvCompiler>>>

/**
 * Two validators: bodies are taken as they are (`"2"`, `true`, `null` and `[2]` are not integers: M13), while query strings and
 * paths, which can only carry text, are read as the type that their schema names. Each is compiled with the first request that it checks.
 */
export function installValidation(app: App): void {
  const build = AjvCompiler()
  const exact = build({}, { customOptions: { ...COMMON, coerceTypes: false } })
  // Not `strictNumbers`: it would let infinity past every `maximum`, and `1e400` is read as infinity.
  const reading = build({}, { customOptions: { ...COMMON, coerceTypes: 'array', strictNumbers: false } })
  app.setValidatorCompiler(({ schema, httpPart }) =>
    compiledOnFirstUse(() => (httpPart === 'body' ? exact : reading)({ schema })),
  )
}

/** Fastify reads what is wrong from the property `errors` of the function that found it. */
function compiledOnFirstUse(compile: () => Validate): Validate {
  let validate: Validate | undefined
  const check = (value: unknown): boolean => {
    validate ??= compile()
    const isValid = validate(value) === true
    check.errors = validate.errors
    return isValid
  }
  check.errors = undefined as Validate['errors']
  return check as Validate
}
