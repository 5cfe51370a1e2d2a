export { isJsonObject } from './is-json-object.ts'
export { JsonSizeCheck } from './json-size.ts'
export { parseJson } from './parse-json.ts'
