import type { RouteOptions } from 'fastify'

type ObjectSchema = {
  type?: unknown
  properties?: Readonly<Record<string, unknown>>
  additionalProperties?: unknown
}

/** The query of a route that declares none: each look at it is an error of the route, and each test of the route finds it. */
const NO_QUERY = new Proxy<Readonly<Record<string, unknown>>>(Object.freeze({}), {
  get: refuse,
  has: refuse,
  ownKeys: refuse,
})

function refuse(): never {
  throw new Error('a route reads the query without a querystring schema')
}

/**
 * The keys of a query that its schema declares, in a new object without a prototype. Handlers pass a query on as a whole: a key that
 * the route does not declare would become a condition, or take the place of a value of the path.
 * @param schema undefined: the result cannot be read
 */
export function declaredQuery(schema: unknown, query: unknown): Readonly<Record<string, unknown>> {
  return schema === undefined ? NO_QUERY : keysOf(schema as ObjectSchema, query as Readonly<Record<string, unknown>>)
}

/** The same for a JSON body. What is no object, and a body whose schema takes any key, stay as they are. */
export function declaredBody(schema: unknown, body: unknown): unknown {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  return isObject && listsItsKeys(schema) ? keysOf(schema, body as Readonly<Record<string, unknown>>) : body
}

/**
 * Shows at the start that only declared keys of queries can reach a handler.
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
