import { isJsonObject } from '../../core/platform/json/index.ts'
import type { RouteOptions } from 'fastify'

type ObjectSchema = {
  type?: unknown
  properties?: Readonly<Record<string, unknown>>
  additionalProperties?: unknown
}

/** Query object of routes without a querystring schema. Any access throws, so that the route's tests find the error. */
const NO_QUERY = new Proxy<Readonly<Record<string, unknown>>>(Object.freeze({}), {
  get: refuse,
  has: refuse,
  ownKeys: refuse,
})

function refuse(): never {
  throw new Error('a route reads the query without a querystring schema')
}

/**
 * Copies the query parameters that the schema declares to an object without a prototype. Handlers pass the query on as a whole: an
 * undeclared key could become a filter condition or replace a path parameter. A name may be written in both ways, `libraryId` and
 * `library_id`: routes declare either, and a filter in the other spelling must not be ignored. The declared spelling takes precedence.
 * @param schema undefined: any access to the result throws
 */
export function declaredQuery(schema: unknown, query: unknown): Readonly<Record<string, unknown>> {
  if (schema === undefined) return NO_QUERY
  const { properties = {} } = schema as ObjectSchema
  const given = query as Readonly<Record<string, unknown>>
  const declared: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const name of Object.keys(properties)) {
    const key = Object.hasOwn(given, name) ? name : otherSpelling(name)
    if (Object.hasOwn(given, key)) declared[name] = given[key]
  }
  return declared
}

/** `library_id` of `libraryId`, and the reverse. */
function otherSpelling(name: string): string {
  return name.includes('_')
    ? name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/**
 * Returns the JSON body without keys that its schema does not declare. A body that is not an object, and a body whose schema allows any
 * key, is returned unchanged.
 */
export function declaredBody(schema: unknown, body: unknown): unknown {
  return isJsonObject(body) && listsItsKeys(schema) ? keysOf(schema, body) : body
}

/**
 * Verifies at registration that only declared query parameters can reach a handler.
 * @throws Error when a querystring schema does not list its keys
 */
export function checkDeclaredQuery({ method, url, schema }: Pick<RouteOptions, 'method' | 'url' | 'schema'>): void {
  if (schema?.querystring === undefined || listsItsKeys(schema.querystring)) return
  throw new Error(`${String(method)} ${url} has a querystring schema that does not list its keys`)
}

function listsItsKeys(schema: unknown): schema is Required<Pick<ObjectSchema, 'properties'>> {
  const { type, properties, additionalProperties = false } = (schema ?? {}) as ObjectSchema
  return type === 'object' && properties !== undefined && additionalProperties === false
}

function keysOf(
  { properties = {} }: ObjectSchema,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const declared: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const key of Object.keys(given)) if (Object.hasOwn(properties, key)) declared[key] = given[key]
  return declared
}
