import type { App } from '../http/app-types.ts'
import { checkOnFirstUse } from '../http/schema-check.ts'

/** Two validators: bodies are taken as they are, query strings and paths are read as what their schema names. */
export function installValidation(app: App): void {
  app.setValidatorCompiler(({ schema, httpPart }) => checkOnFirstUse(schema, httpPart === 'body' ? 'json' : 'query'))
}
